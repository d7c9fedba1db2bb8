import type { ListedKey, Reception, RecordType } from '@hearth/signing';

/** Why a case is refused; `interop/vectors/records/README.md` explains each. */
export type Reason =
  | 'not_json'
  | 'duplicate_member'
  | 'float'
  | 'integer_range'
  | 'lone_surrogate'
  | 'too_deep'
  | 'not_utf8'
  | 'no_signature'
  | 'signature_form'
  | 'too_many_signatures'
  | 'not_base64url'
  | 'header_member'
  | 'wrong_alg'
  | 'wrong_typ'
  | 'no_kid'
  | 'unknown_kid'
  | 'signature_mismatch'
  | 'key_not_yet_valid'
  | 'key_next'
  | 'key_expired'
  | 'key_revoked'
  | 'key_listed_badly'
  | 'key_twice'
  | 'issued_at'
  | 'wrong_home'
  | 'expired'
  | 'too_long_ahead'
  | 'doc_seq'
  | 'key_length'
  | 'key_encoding'
  | 'key_not_on_curve'
  | 'key_small_order'
  | 'key_mixed_order'
  | 'too_many_keys'
  | 'key_form';

/** A signed object: given as `object`, or as `text` where its JSON text itself is what matters. */
export interface SignedCase {
  name: string;
  expected_type: RecordType;
  object?: unknown;
  text?: string;
  valid: boolean;
  /** Keys that stand in the place of those of the file. */
  keys?: ListedKey[];
  /** The keys whose signatures are good, for valid cases. */
  kids?: string[];
  /** The keys whose co-signatures are good, where there are co-signatures. */
  co_kids?: string[];
  reason?: Reason;
}

export interface TextCase {
  name: string;
  /** The JSON text, or its bytes in base64 where they are no text. */
  text?: string;
  bytes_base64?: string;
  valid: boolean;
  /** For valid cases: the canonical text and its digest. */
  canonical?: string;
  digest?: string;
  reason?: Reason;
}

export interface KeyCase {
  name: string;
  jwk: unknown;
  valid: boolean;
  /** For valid cases: the RFC 7638 thumbprint. */
  thumbprint?: string;
  reason?: Reason;
}

/** Documents of one home, as a reader gets them one after the other. */
export interface SequenceCase {
  name: string;
  steps: {
    /** The moment at which it comes. */
    at: string;
    object: unknown;
    /** A person vouched for the new keys. */
    word?: true;
    verdict: Reception;
    /** The state after it: the number of the document that counts, and the kids that were revoked since. */
    doc_seq: number | null;
    revoked: string[];
    /** The answer to a request then that names this kid: `good`, or the code of the refusal. */
    requests?: Record<string, 'good' | 'unknown_key' | 'key_change'>;
    /** The same of a signed item. */
    items?: Record<string, 'good' | 'unknown_key' | 'key_change'>;
  }[];
}

export interface VectorFile<Case> {
  about: string;
  /** The home that is asked for, and the moment at which its objects are read. */
  home?: string;
  now?: string;
  /** Where signatures are involved: the seeds to sign with, and the keys as the home's document lists them. */
  seeds?: { name: string; kid: string; seed_hex: string }[];
  keys?: unknown[];
  cases: Case[];
}
