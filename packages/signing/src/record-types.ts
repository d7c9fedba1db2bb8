/** The type of a signed object, in its protected header; a verifier states which one it expects. */
export const recordTypes = [
  'svc-card+jws',
  'svc-record+jws',
  'svc-envelope+jws',
  'svc-home+jws',
  'svc-key+jws',
] as const;

export type RecordType = (typeof recordTypes)[number];

/** One signature: the protected header and the 64 bytes, both base64url (RFC 7515, payload detached). */
export interface DetachedSignature {
  protected: string;
  signature: string;
}

/** A list in `signatures` (home documents, A2A exports), or one in `signature` with `co_signatures` beside it. */
export type SignatureMember = 'signature' | 'signatures';

/** The most signatures that a verifier looks at in one object: each costs it a verification. */
export const maxSignatures = 8;

/** Home documents are signed by every active key, everything else by one. */
export function memberFor(typ: RecordType): SignatureMember {
  return typ === 'svc-home+jws' ? 'signatures' : 'signature';
}
