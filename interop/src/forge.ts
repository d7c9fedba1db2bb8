import { createHash } from 'node:crypto';
import { canonicalize, type DetachedSignature, encodeBase64url, signBytes } from '@hearth/signing';
import { Point } from '@noble/ed25519';
import { homeKey, type VectorKey } from './material.ts';

/** Signs the JCS of `payload` with `key` under any header text, valid or not. */
export function signUnder(key: VectorKey, header: unknown, payload: object): DetachedSignature {
  const text = typeof header === 'string' ? header : JSON.stringify(header);
  const protectedHeader = encodeBase64url(Buffer.from(text));
  const body = encodeBase64url(Buffer.from(canonicalize(payload, { floats: true, maxDepth: 64 })));
  const signature = signBytes(key.pair.privateKey, Buffer.from(`${protectedHeader}.${body}`));
  return { protected: protectedHeader, signature: encodeBase64url(signature) };
}

/** Returns the same 64 bytes as text whose last character carries a stray bit. */
export function withStrayBit(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.slice(-1)) + 1];
}

const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n;

/** Returns the same signature with S replaced by S + L, which RFC 8032 5.1.7 refuses. */
export function withLargeS(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + groupOrder;
  const encoded = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
  return encodeBase64url(Buffer.concat([bytes.subarray(0, 32), encoded]));
}

/** Returns the signature with bit number `bit` flipped. */
export function withFlippedBit(text: string, bit: number): string {
  const bytes = Buffer.from(text, 'base64url');
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return encodeBase64url(bytes);
}

/** Returns the secret scalar of a key (RFC 8032 5.1.5), which allows signatures that no honest signer makes. */
function scalarOf(key: VectorKey): bigint {
  const digest = createHash('sha512').update(Buffer.from(key.seedHex, 'hex')).digest().subarray(0, 32);
  digest[0] = (digest[0] ?? 0) & 248;
  digest[31] = ((digest[31] ?? 0) & 63) | 64;
  return fromLittleEndian(digest) % groupOrder;
}

function fromLittleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

function toLittleEndian(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
}

const order2 = Point.fromHex(toLittleEndian(2n ** 255n - 20n).toString('hex'));

/** The public key of home.example's first key with a point of order 2 added: of mixed order. */
export const mixedOrderX = encodeBase64url(Point.BASE.multiply(scalarOf(homeKey)).add(order2).toBytes());

export type Forgery = 'small order' | 'mixed order' | 'R of mixed order' | 'R as y = p + 1' | 'R as x = -0';

/**
 * Makes a signature that a lenient verifier accepts: under a key of small or mixed order, or with an R that equals
 * `[S]B - [k]A` except for a point of small order or for its encoding.
 */
export function forge(forgery: Forgery, header: object, payload: object): DetachedSignature {
  const protectedHeader = encodeBase64url(Buffer.from(JSON.stringify(header)));
  const input = Buffer.from(`${protectedHeader}.${encodeBase64url(Buffer.from(canonicalize(payload)))}`);
  // Half of all r fit where a point of order 2 has to vanish.
  for (let seed = 1n; ; seed += 1n) {
    const bytes = tryForgery(forgery, seed, input);
    if (bytes !== null) return { protected: protectedHeader, signature: encodeBase64url(bytes) };
  }
}

function tryForgery(forgery: Forgery, seed: bigint, input: Buffer): Buffer | null {
  const honest = Point.BASE.multiply(scalarOf(homeKey));
  const [secret, key] =
    forgery === 'small order'
      ? [0n, Point.ZERO]
      : [scalarOf(homeKey), forgery === 'mixed order' ? honest.add(order2) : honest];
  const spelled = { 'R as y = p + 1': 2n ** 255n - 18n, 'R as x = -0': 1n + 2n ** 255n };
  const r = forgery in spelled ? 0n : seed;
  const point = forgery === 'R of mixed order' ? Point.BASE.multiply(r, false).add(order2) : null;
  const written =
    forgery in spelled
      ? toLittleEndian(spelled[forgery as keyof typeof spelled])
      : Buffer.from((point ?? Point.BASE.multiply(r, false)).toBytes());
  const k =
    fromLittleEndian(
      createHash('sha512')
        .update(Buffer.concat([written, key.toBytes(), input]))
        .digest(),
    ) % groupOrder;
  if (forgery === 'mixed order' && k % 2n === 1n) return null;
  return Buffer.concat([written, toLittleEndian((r + k * secret) % groupOrder)]);
}
