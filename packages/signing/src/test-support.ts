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

const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', '', '\u2028', '"\\/'));
const leaf = fc.oneof(fc.constant(null), fc.boolean(), fc.maxSafeInteger(), text);

const tree = fc.letrec<{ value: JsonValue; object: JsonObject; array: JsonValue[] }>((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, tie('array'), tie('object')),
  array: fc.array(tie('value'), { maxLength: 5 }),
  object: fc.dictionary(text, tie('value'), { maxKeys: 6, noNullPrototype: true }),
}));

/** Any value and any object that the profile of signed objects allows. */
export const profileValue: fc.Arbitrary<JsonValue> = tree.value;
export const profileObject: fc.Arbitrary<JsonObject> = tree.object;
