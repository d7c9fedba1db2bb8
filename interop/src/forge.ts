import { canonicalize, type DetachedSignature, encodeBase64url, signBytes } from '@hearth/signing';
import type { VectorKey } from './material.ts';

/** A real signature by `key` under any header text, right or wrong, over the JCS of `payload`. */
export function signUnder(key: VectorKey, header: unknown, payload: object): DetachedSignature {
  const text = typeof header === 'string' ? header : JSON.stringify(header);
  const protectedHeader = encodeBase64url(Buffer.from(text));
  const body = encodeBase64url(Buffer.from(canonicalize(payload, { floats: true, maxDepth: 64 })));
  const signature = signBytes(key.pair.privateKey, Buffer.from(`${protectedHeader}.${body}`));
  return { protected: protectedHeader, signature: encodeBase64url(signature) };
}

/** The same 64 bytes in a text whose last character carries a stray bit. */
export function withStrayBit(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.slice(-1)) + 1];
}

const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n;

/** The same signature with S written as S + L, which RFC 8032 5.1.7 refuses. */
export function withLargeS(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + groupOrder;
  const encoded = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
  return encodeBase64url(Buffer.concat([bytes.subarray(0, 32), encoded]));
}

/** The signature with its bit number `bit` turned over. */
export function withFlippedBit(text: string, bit: number): string {
  const bytes = Buffer.from(text, 'base64url');
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return encodeBase64url(bytes);
}
