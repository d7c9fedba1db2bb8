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

/** The most bytes of a signed record as JSON, with its signature: twenty long answers and their question. */
export const maxRecordBytes = 131_072;

/** The most members and elements of a record, at all levels together: 16 bytes of the longest record for each. */
export const maxRecordValues = 8_192;

/** The room for the signature in it: the bound of what is still to be signed. */
export const maxUnsignedBytes = maxRecordBytes - 512;

/** The most signatures that a verifier looks at in one object: each costs it a verification. */
export const maxSignatures = 8;

/** Home documents are signed by every active key, everything else by one. */
export function memberFor(typ: RecordType): SignatureMember {
  return typ === 'svc-home+jws' ? 'signatures' : 'signature';
}
