import { badField } from '@hearth/errors';
import { decodeBase64url, encodeBase64url } from './base64url.ts';
import { signatureLength, signBytes } from './ed25519.ts';
import { isKid, type KeyPair } from './keys.ts';
import { encodeHeader, encodePayload, joinSigningInput } from './payload.ts';
import { type DetachedSignature, memberFor, type RecordType, type SignatureMember } from './record-types.ts';

export interface SigningOptions {
  /** The signing key's id, as in its home's document. */
  kid: string;
  typ: RecordType;
  /** Where the signature goes (default: `signatures` for home documents, else `signature`). */
  member?: SignatureMember;
}

export interface SigningInput {
  /** The protected header, base64url. */
  protected: string;
  /** The bytes that the holder of the key signs with Ed25519. */
  bytes: Buffer;
}

/**
 * First half of signing, for callers without the key: returns the bytes to sign. Ignores signatures already in the
 * object. Throws bad_request for an object outside the profile.
 */
export function signingInput(object: object, options: SigningOptions): SigningInput {
  if (!isKid(options.kid)) throw badField('kid', 'must be 1 to 128 of A-Z a-z 0-9 . _ ~ : -');
  const header = encodeHeader(options.kid, options.typ);
  const payload = encodePayload(object, options.member ?? memberFor(options.typ));
  return { protected: header, bytes: joinSigningInput(header, payload) };
}

export type Signed<Value> = Value & { signature: DetachedSignature };
export type SignedByAll<Value> = Value & { signatures: DetachedSignature[] };

/** Second half: returns `object` with the signature. A list has one signature per protected header. */
export function attachSignature<Value extends object>(
  object: Value,
  made: { protected: string; signature: Uint8Array | string },
  member: SignatureMember = 'signature',
): Value {
  const entry = toEntry(made);
  if (member === 'signature') return { ...object, signature: entry };
  return { ...object, signatures: appended((object as { signatures?: unknown }).signatures, entry) };
}

export interface SignOptions {
  key: KeyPair;
  typ: RecordType;
  /** Replaces the key's own kid. */
  kid?: string;
  member?: SignatureMember;
}

/** Signs `object` with `key`. The result is an ordinary JWS with detached payload that any JOSE library verifies. */
export function signRecord<Value extends object>(
  object: Value,
  options: SignOptions & ({ typ: 'svc-home+jws'; member?: undefined } | { member: 'signatures' }),
): SignedByAll<Value>;
export function signRecord<Value extends object>(object: Value, options: SignOptions): Signed<Value>;
export function signRecord<Value extends object>(object: Value, options: SignOptions): Value {
  const { key, typ, kid = key.kid, member = memberFor(typ) } = options;
  const input = signingInput(object, { kid, typ, member });
  return attachSignature(
    object,
    { protected: input.protected, signature: signBytes(key.privateKey, input.bytes) },
    member,
  );
}

function toEntry(made: { protected: string; signature: Uint8Array | string }): DetachedSignature {
  const bytes = typeof made.signature === 'string' ? decodeBase64url(made.signature) : made.signature;
  if (bytes?.length !== signatureLength) {
    throw badField('signature', `must be ${signatureLength} bytes, or those in base64url`);
  }
  return { protected: made.protected, signature: encodeBase64url(bytes) };
}

function appended(present: unknown, entry: DetachedSignature): DetachedSignature[] {
  const others = Array.isArray(present) ? (present as DetachedSignature[]) : [];
  return [...others.filter((other) => other.protected !== entry.protected), entry];
}
