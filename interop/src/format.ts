import type { ListedKey, Reception, RecordType } from '@hearth/signing';

/** Why a case is refused; `interop/vectors/records/README.md` explains each reason. */
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

/** A signed object: given as `object`, or as `text` if its exact JSON text matters. */
export interface SignedCase {
  name: string;
  expected_type: RecordType;
  object?: unknown;
  text?: string;
  valid: boolean;
  /** Keys that replace the file's keys. */
  keys?: ListedKey[];
  /** For valid cases: kids of the valid signatures. */
  kids?: string[];
  /** For valid cases with co-signatures: kids of the valid co-signatures. */
  co_kids?: string[];
  reason?: Reason;
}

export interface TextCase {
  name: string;
  /** The JSON text, or its bytes in base64 if they are not UTF-8. */
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

/** Documents of one home, in the order in which a reader gets them. */
export interface SequenceCase {
  name: string;
  steps: {
    /** When it arrives. */
    at: string;
    object: unknown;
    /** True if a person vouched for the new keys. */
    word?: true;
    verdict: Reception;
    /** The state afterwards: the number of the current document, and the kids revoked since. */
    doc_seq: number | null;
    revoked: string[];
    /** The verdict on a later request with this kid: `good`, or the error code. */
    requests?: Record<string, 'good' | 'unknown_key' | 'key_change'>;
    /** As `requests`, for a signed item. */
    items?: Record<string, 'good' | 'unknown_key' | 'key_change'>;
  }[];
}

export interface VectorFile<Case> {
  about: string;
  /** The home in question, and the time at which its objects are read. */
  home?: string;
  now?: string;
  /** For signatures: the seeds to sign with, and the keys as the home's document lists them. */
  seeds?: { name: string; kid: string; seed_hex: string }[];
  keys?: unknown[];
  cases: Case[];
}
