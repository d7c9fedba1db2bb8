import { encodeBase64url } from './base64url.ts';
import { canonicalize } from './canonicalize.ts';
import type { SignatureMember } from './record-types.ts';

/**
 * Returns the payload of a signed object: its JCS without the signature members, in base64url. Throws bad_request for
 * an object outside the JSON profile.
 */
export function encodePayload(object: object, member: SignatureMember): string {
  return Buffer.from(canonicalize(withoutSignatures(object, member))).toString('base64url');
}

function withoutSignatures(object: object, member: SignatureMember): object {
  if (member === 'signatures') {
    const { signatures, ...rest } = object as { signatures?: unknown };
    return rest;
  }
  const { signature, co_signatures, ...rest } = object as { signature?: unknown; co_signatures?: unknown };
  return rest;
}

/** The signing input of RFC 7515 5.1. */
export function joinSigningInput(protectedHeader: string, payload: string): Buffer {
  return Buffer.from(`${protectedHeader}.${payload}`, 'latin1');
}

/** Returns `{alg, kid, typ}` as the base64url of its JCS. */
export function encodeHeader(kid: string, typ: string): string {
  return encodeBase64url(Buffer.from(canonicalize({ alg: 'EdDSA', kid, typ })));
}
