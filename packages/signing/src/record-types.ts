/** The type of a signed object, in its protected header. A verifier states which type it expects. */
export const recordTypes = [
  'svc-card+jws',
  'svc-record+jws',
  'svc-envelope+jws',
  'svc-home+jws',
  'svc-key+jws',
] as const;

export type RecordType = (typeof recordTypes)[number];

/** A signature: the protected header and the 64 bytes, both base64url (RFC 7515, detached payload). */
export interface DetachedSignature {
  protected: string;
  signature: string;
}

/**
 * Either a list in `signatures` (home documents, A2A exports), or one signature in `signature`, with `co_signatures`.
 */
export type SignatureMember = 'signature' | 'signatures';

/** The most bytes of a signed record as JSON, including its signature: twenty long answers and their question. */
export const maxRecordBytes = 131_072;

/** The most members and elements of a record, at all levels together: one per 16 bytes of the longest record. */
export const maxRecordValues = 8_192;

/** The most bytes of an unsigned record, which leaves room for the signature. */
export const maxUnsignedBytes = maxRecordBytes - 512;

/** The most signatures that a verifier checks in one object, because each costs a verification. */
export const maxSignatures = 8;

/** Home documents are signed by every active key, all other objects by one. */
export function memberFor(typ: RecordType): SignatureMember {
  return typ === 'svc-home+jws' ? 'signatures' : 'signature';
}
