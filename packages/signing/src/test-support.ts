import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from './profile.ts';

const published = new URL('../../../interop/vectors/published/', import.meta.url);

export function readPublished(name: string): string {
  return readFileSync(new URL(name, published), 'utf8');
}

export function listPublished(folder: string): string[] {
  return readdirSync(new URL(folder, published)).sort();
}

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('__proto__', '', '\u2028', '"\\/'),
);
const leaf = fc.oneof(fc.constant(null), fc.boolean(), fc.maxSafeInteger(), text);

const tree = fc.letrec<{ value: JsonValue; object: JsonObject; array: JsonValue[] }>((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, tie('array'), tie('object')),
  array: fc.array(tie('value'), { maxLength: 5 }),
  object: fc.dictionary(text, tie('value'), { maxKeys: 6, noNullPrototype: true }),
}));

/** Any value and any object within the profile of signed objects. */
export const profileValue: fc.Arbitrary<JsonValue> = tree.value;
export const profileObject: fc.Arbitrary<JsonObject> = tree.object;

const p = 2n ** 255n - 19n;
// y of the four points of order 8 (two values, each with both signs of x).
const y8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;

/** Encodes y in little-endian with the sign of x in the top bit (RFC 8032 5.1.2), canonical or not. */
function encodePoint(y: bigint, sign: 0 | 1): string {
  const bytes = Buffer.from((y | (BigInt(sign) << 255n)).toString(16).padStart(64, '0'), 'hex');
  return bytes.reverse().toString('hex');
}

/** Every 32-byte encoding of a point of the 8-torsion. */
export const smallOrderEncodings: { hex: string; what: string }[] = [
  { hex: encodePoint(1n, 0), what: 'the identity' },
  { hex: encodePoint(p - 1n, 0), what: 'order 2' },
  { hex: encodePoint(0n, 0), what: 'order 4' },
  { hex: encodePoint(0n, 1), what: 'order 4, x negated' },
  { hex: encodePoint(y8, 0), what: 'order 8' },
  { hex: encodePoint(y8, 1), what: 'order 8, x negated' },
  { hex: encodePoint(p - y8, 0), what: 'order 8, y negated' },
  { hex: encodePoint(p - y8, 1), what: 'order 8, both negated' },
  { hex: encodePoint(1n, 1), what: 'the identity, non-canonical: x = 0 with a sign' },
  { hex: encodePoint(p - 1n, 1), what: 'order 2, non-canonical: x = 0 with a sign' },
  { hex: encodePoint(p, 0), what: 'order 4, non-canonical: y = p' },
  { hex: encodePoint(p, 1), what: 'order 4, non-canonical: y = p, x negated' },
  { hex: encodePoint(p + 1n, 0), what: 'the identity, non-canonical: y = p + 1' },
  { hex: encodePoint(p + 1n, 1), what: 'the identity, non-canonical: y = p + 1, x = 0 with a sign' },
];
