import { createPublicKey, verify as verifyWithNode } from 'node:crypto';
import { verifyAsync as verifyWithNoble } from '@noble/ed25519';
import canonicalize from 'canonicalize';
import { compactVerify, importJWK } from 'jose';

/** The parts of a record's signature (RFC 7515 with a detached payload). */
export interface Signature {
  protected: string;
  signature: string;
}

/** A record's signed text: its canonical form (RFC 8785) without signatures, by a third-party library. */
function payloadOf(record: Record<string, unknown>): string {
  const { signature, co_signatures, signatures, ...rest } = record;
  return canonicalize(rest) as string;
}

export function headerOf({ protected: header }: Signature): Record<string, unknown> {
  return JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as Record<string, unknown>;
}

/** Three independent implementations' verdicts on a signature; only true is a yes. */
export async function verdicts(record: Record<string, unknown>, signature: Signature, x: string) {
  const payload = Buffer.from(payloadOf(record)).toString('base64url');
  const signed = Buffer.from(`${signature.protected}.${payload}`);
  const bytes = Buffer.from(signature.signature, 'base64url');
  const jwk = { kty: 'OKP', crv: 'Ed25519', x };
  return {
    jose: await compactVerify(
      `${signature.protected}.${payload}.${signature.signature}`,
      await importJWK(jwk, 'EdDSA'),
      { algorithms: ['EdDSA'] },
    ).then(
      () => true,
      () => false,
    ),
    node: verifyWithNode(null, signed, createPublicKey({ key: jwk, format: 'jwk' }), bytes),
    noble: await verifyWithNoble(bytes, signed, Buffer.from(x, 'base64url')).catch(() => false),
  };
}

export const allTrue = { jose: true, node: true, noble: true };
export const allFalse = { jose: false, node: false, noble: false };

/** The key in the home's document that a signature names. */
export function keyOf(
  document: { keys: { kid: string; x: string; status: string; use: string[] }[] },
  signature: Signature,
) {
  const { kid } = headerOf(signature);
  const key = document.keys.find((each) => each.kid === kid);
  if (key === undefined) throw new Error(`the home's document has no key ${String(kid)}`);
  return key;
}
