import { isHearthError } from '@hearth/errors';
import { decodeBase64url } from './base64url.ts';
import { signatureLength } from './ed25519.ts';
import { isKid } from './keys.ts';
import { isJsonObject } from './profile.ts';
import type { RecordType } from './record-types.ts';
import { parseStrictJson } from './strict-json.ts';

export interface ReadSignature {
  /** The protected header as signed, base64url. */
  protected: string;
  kid: string;
  bytes: Buffer;
}

const maxHeaderText = 1_024;
const headerMembers = new Set(['alg', 'kid', 'typ']);
/** Two names of the same algorithm: RFC 8037's, and RFC 9864's, which deprecates the first. */
const algorithms: ReadonlySet<unknown> = new Set(['EdDSA', 'Ed25519']);

/**
 * Reads an untrusted `{protected, signature}`: returns the entry, or a sentence that says what is wrong. The header is
 * closed. A key or an address of a key (`jwk`, `jku`, `x5u`, `x5c`) would let the sender choose who verifies; `crit`
 * and `b64` would change what was signed.
 */
export function readSignature(entry: unknown, expectedType: RecordType): ReadSignature | string {
  if (!isJsonObject(entry)) return 'there is no signature of the form {protected, signature}';
  const { protected: header, signature, ...others } = entry;
  const [other] = Object.keys(others);
  if (other !== undefined)
    return `the signature holds a member besides protected and signature: ${shown(other)}`;
  if (typeof header !== 'string' || typeof signature !== 'string') {
    return 'protected and signature must both be texts';
  }
  const kid = readHeader(header, expectedType);
  if (typeof kid === 'string') return kid;

  const bytes = signature.length <= 100 ? decodeBase64url(signature) : null;
  if (bytes === null) return 'the signature is not canonical base64url without padding';
  if (bytes.length !== signatureLength) return `the signature must have ${signatureLength} bytes`;
  return { protected: header, kid: kid.kid, bytes };
}

/** Returns the kid that an entry claims, even if the entry is invalid; null if it has none. */
export function readClaimedKid(entry: unknown): string | null {
  if (!isJsonObject(entry) || typeof entry.protected !== 'string') return null;
  const header = decodeHeader(entry.protected);
  if (typeof header === 'string') return null;
  return isKid(header.kid) ? header.kid : null;
}

function readHeader(text: string, expectedType: RecordType): { kid: string } | string {
  const header = decodeHeader(text);
  if (typeof header === 'string') return header;
  for (const member of Object.keys(header)) {
    if (!headerMembers.has(member)) return `the protected header holds ${shown(member)}, which is refused`;
  }
  if (!algorithms.has(header.alg)) return 'the protected header must say alg EdDSA';
  if (header.typ !== expectedType) return `the protected header must say typ ${expectedType}`;
  if (header.kid === undefined) return 'the protected header names no key (kid)';
  if (!isKid(header.kid)) return 'the kid must be 1 to 128 of A-Z a-z 0-9 . _ ~ : -';
  return { kid: header.kid };
}

function decodeHeader(text: string): Record<string, unknown> | string {
  const bytes = text.length <= maxHeaderText ? decodeBase64url(text) : null;
  if (bytes === null) return 'the protected header is not canonical base64url without padding';
  try {
    const header = parseStrictJson(bytes, { maxDepth: 4 });
    return isJsonObject(header) ? header : 'the protected header is not a JSON object';
  } catch (thrown) {
    if (isHearthError(thrown)) return `the protected header is ${thrown.message}`;
    throw thrown;
  }
}

function shown(member: string): string {
  return JSON.stringify(member.slice(0, 40));
}
