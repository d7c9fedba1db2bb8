/** Why a record is invalid, as codes; each has a text on pages. */
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
  'not_kept',
] as const;

export type Fault = (typeof faults)[number];

/** A fault of a record, with a sentence for developers and for the command line. */
export interface Problem {
  fault: Fault;
  words: string;
}
