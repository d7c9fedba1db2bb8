/** Why a verifier calls a record invalid, as codes; each has a text on pages. */
export const faults = [
  // The text
  'not_json',
  'unreadable',
  'twice',
  // The signature
  'no_signature',
  'signature_form',
  'mismatch',
  // The home and the time
  'no_home',
  'other_home',
  'undated',
  'expired',
  // The key
  'unknown_key',
  'key_form',
  'key_early',
  'key_ended',
  'key_revoked',
] as const;

/** `not_kept`: only the issuing home can find that it has no copy. */
export type Fault = (typeof faults)[number] | 'not_kept';

/** A fault of a record, with a sentence for developers and for the command line. */
export interface Problem {
  fault: Fault;
  words: string;
}
