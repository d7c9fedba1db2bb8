import { encodeBase64url, exportPublicJwk } from '@hearth/signing';
import { mixedOrderX } from './forge.ts';
import type { KeyCase, Reason } from './format.ts';
import { allKeys } from './material.ts';

const p = 2n ** 255n - 19n;
// y of the points of order 8, whose other y is p minus this one.
const y8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;

/** Public keys that a verifier accepts, and keys that it must refuse before it verifies anything with them. */
export function keyCases(): KeyCase[] {
  const good = exportPublicJwk(allKeys[0]!.pair);
  const refused = (name: string, jwk: unknown, reason: Reason): KeyCase => ({
    name,
    jwk,
    valid: false,
    reason,
  });
  return [
    ...allKeys.map(
      ({ name, pair }): KeyCase => ({ name, jwk: exportPublicJwk(pair), valid: true, thumbprint: pair.kid }),
    ),
    refused('mixed order', { ...good, x: mixedOrderX }, 'key_mixed_order'),
    ...torsion.map(([name, y, sign, reason]) => refused(name, jwkOf(y, sign), reason)),
    ...[2n, 3n, 18n].map((above) => refused(`y = p + ${above}`, jwkOf(p + above, 0), 'key_encoding')),
    refused('y = 2, which no point has', jwkOf(2n, 0), 'key_not_on_curve'),
    refused('31 bytes', { ...good, x: encodeBase64url(new Uint8Array(31).fill(9)) }, 'key_length'),
    refused('33 bytes', { ...good, x: encodeBase64url(new Uint8Array(33).fill(9)) }, 'key_length'),
    refused('no bytes', { ...good, x: '' }, 'key_length'),
    refused('padding', { ...good, x: `${good.x}=` }, 'not_base64url'),
    refused('a stray bit in the last character', { ...good, x: `${'A'.repeat(42)}B` }, 'not_base64url'),
    refused('no x', { kid: good.kid, kty: 'OKP', crv: 'Ed25519' }, 'key_form'),
    refused('kty EC', { ...good, kty: 'EC' }, 'key_form'),
    refused('crv X25519', { ...good, crv: 'X25519' }, 'key_form'),
    refused('with its secret', { ...good, d: encodeBase64url(new Uint8Array(32)) }, 'key_form'),
  ];
}

/** Every encoding of the eight points of small order, canonical or not. */
const torsion: [string, bigint, 0 | 1, Reason][] = [
  ['the identity', 1n, 0, 'key_small_order'],
  ['order 2', p - 1n, 0, 'key_small_order'],
  ['order 4', 0n, 0, 'key_small_order'],
  ['order 4, x negated', 0n, 1, 'key_small_order'],
  ['order 8', y8, 0, 'key_small_order'],
  ['order 8, x negated', y8, 1, 'key_small_order'],
  ['order 8, y negated', p - y8, 0, 'key_small_order'],
  ['order 8, both negated', p - y8, 1, 'key_small_order'],
  ['the identity with x = -0', 1n, 1, 'key_not_on_curve'],
  ['order 2 with x = -0', p - 1n, 1, 'key_not_on_curve'],
  ['order 4 as y = p', p, 0, 'key_encoding'],
  ['order 4 as y = p, x negated', p, 1, 'key_encoding'],
  ['the identity as y = p + 1', p + 1n, 0, 'key_encoding'],
  ['the identity as y = p + 1 with x = -0', p + 1n, 1, 'key_encoding'],
];

function jwkOf(y: bigint, sign: 0 | 1): object {
  const bigEndian = Buffer.from((y | (BigInt(sign) << 255n)).toString(16).padStart(64, '0'), 'hex');
  return { kty: 'OKP', crv: 'Ed25519', x: encodeBase64url(bigEndian.reverse()) };
}
