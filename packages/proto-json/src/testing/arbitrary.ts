import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { countCharacters } from '@hearth/addresses';
import fc from 'fast-check';
import {
  boundedRulesOf,
  choicesOf,
  isObjectText,
  maxItemsOf,
  maxJsonBytesOf,
  publicFields,
  rulesOf,
  type TextRules,
  textRulesOf,
  valuesOf,
} from '../field-rules.ts';
import { meaningOf } from '../read/text-reader.ts';
import { cleanLine, cleanLines } from '../text.ts';
import { wellKnownKind } from '../well-known.ts';
import { testBounds } from './test-bounds.ts';

export { boundedRulesOf, choicesOf, isObjectText, maxItemsOf, textRulesOf };

const deepest = 3;

export interface JsonOptions {
  /** Draws only integers that JSON numbers represent exactly; otherwise larger 64-bit integers come as strings. */
  exactNumbers?: boolean;
}

/**
 * Public JSON that a message accepts, in every allowed spelling: null for an absent member, any time offset, text
 * before cleaning, numbers before clamping.
 */
export function messageJson(
  desc: DescMessage,
  options: JsonOptions = {},
  depth = 0,
): fc.Arbitrary<Record<string, unknown>> {
  const members: Record<string, fc.Arbitrary<unknown>> = {};
  const requiredKeys: string[] = [];
  const oneOnly = new Set<string>();
  for (const field of publicFields(desc)) {
    if (field.oneof) {
      // Generates only the first member of a oneof, because at most one may be given.
      if (oneOnly.has(field.oneof.name)) continue;
      oneOnly.add(field.oneof.name);
    }
    const { required } = rulesOf(field);
    if (field.message && depth >= deepest && !required) continue;
    members[field.name] = required
      ? fieldJson(field, options, depth)
      : fc.option(fieldJson(field, options, depth), { freq: 6 });
    if (required) requiredKeys.push(field.name);
  }
  return fc.record(members, { requiredKeys }).chain((json) => withOtherCase(desc, json, options, depth));
}

/** Sometimes chooses another member of a oneof than the first. */
function withOtherCase(
  desc: DescMessage,
  json: Record<string, unknown>,
  options: JsonOptions,
  depth: number,
): fc.Arbitrary<Record<string, unknown>> {
  const oneof = desc.oneofs[0];
  if (!oneof || depth >= deepest) return fc.constant(json);
  const others = oneof.fields.map((field) =>
    fieldJson(field, options, depth).map((value) => {
      const { [oneof.fields[0]!.name]: _, ...rest } = json;
      return { ...rest, [field.name]: value };
    }),
  );
  return fc.oneof(fc.constant(json), ...others);
}

function fieldJson(field: DescField, options: JsonOptions, depth: number): fc.Arbitrary<unknown> {
  const item = itemJson(field, options, depth);
  const minLength = rulesOf(field).minItems;
  const maxLength = Math.min(maxItemsOf(field, testBounds), Math.max(minLength, 4));
  if (field.fieldKind === 'list') return fc.array(item, { minLength, maxLength });
  if (field.fieldKind !== 'map') return item;
  const key = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => text !== '__proto__');
  return fc.dictionary(key, item, { maxKeys: maxLength, noNullPrototype: true });
}

function itemJson(field: DescField, options: JsonOptions, depth: number): fc.Arbitrary<unknown> {
  if (field.enum) return fc.constantFrom(...valuesOf(field));
  if (field.message) return messageValueJson(field, field.message, options, depth);
  const choices = choicesOf(field);
  if (choices !== null)
    return fc.constantFrom(...(field.scalar === ScalarType.STRING ? choices : choices.map(Number)));
  switch (field.scalar) {
    case ScalarType.STRING:
      if (isObjectText(field)) return objectJson(field);
      return textJson(textRulesOf(field, testBounds), meaningOf(field));
    case ScalarType.BYTES: {
      const { minLength, maxLength } = textRulesOf(field, testBounds);
      return fc
        .uint8Array({ minLength, maxLength: Math.min(maxLength, 64) })
        .map((bytes) => Buffer.from(bytes).toString('base64url'));
    }
    case ScalarType.BOOL:
      return fc.boolean();
    default:
      return numberJson(field, options);
  }
}

const fitsIn = (field: DescField) => (value: unknown) =>
  Buffer.byteLength(JSON.stringify(value)) <= maxJsonBytesOf(field, testBounds);

const objectJson = (field: DescField) =>
  fc.dictionary(memberName, freeForm, { maxKeys: 3, noNullPrototype: true }).filter(fitsIn(field));

function messageValueJson(
  field: DescField,
  message: DescMessage,
  options: JsonOptions,
  depth: number,
): fc.Arbitrary<unknown> {
  const fits = fitsIn(field);
  switch (wellKnownKind(message)) {
    case 'timestamp':
      return timeJson;
    case 'struct':
      return objectJson(field);
    case 'value':
      return freeForm.filter((value) => value !== null && fits(value));
    case 'list_value':
      return fc.array(freeForm, { maxLength: 3 }).filter(fits);
    default:
      return messageJson(message, options, depth + 1);
  }
}

const memberName = fc.string({ unit: 'grapheme', maxLength: 6 }).filter((name) => name !== '__proto__');

const freeForm: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, 0, 1.5, -3),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(memberName, tie('any'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any;

const timeJson = fc
  .record({
    date: fc.date({
      min: new Date('0002-01-01T00:00:00Z'),
      max: new Date('9998-12-31T00:00:00Z'),
      noInvalidDate: true,
    }),
    offset: fc.constantFrom('Z', 'z', '+00:00', '-00:00', '+05:30', '-11:45'),
    digits: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ date, offset, digits }) => {
    const text = date.toISOString();
    return text.slice(0, 19) + (digits === 0 ? '' : text.slice(19, 20 + digits)) + offset;
  });

const dirty = fc.constantFrom(' ', '\n', '\t', '\u200b', '\u202e', '\u0007', '\r\n');

/** Prefixes of addresses, home names and references, so that each run meets them. */
const opening = fc.constantFrom('', '', '@', '&', 'r:', 'bob@');

function textJson(rules: TextRules, meaning: (text: string) => string): fc.Arbitrary<string> {
  if (rules.pattern !== null) return fc.stringMatching(new RegExp(`^(?:${rules.pattern})$`, 'u'));
  const { minLength } = rules;
  const maxLength = Math.min(rules.maxLength, minLength + 40);
  const bare = fc.string({ unit: 'grapheme', minLength, maxLength });
  const clean = { raw: (text: string) => text, line: cleanLine, lines: cleanLines }[rules.kind];
  const marked = fc.tuple(opening, bare).map((parts) => parts.join(''));
  const inside =
    rules.kind === 'raw' ? marked : fc.tuple(dirty, marked, dirty).map((parts) => parts.join(''));
  return inside.filter((text) => {
    const count = countCharacters(clean(meaning(text)));
    return count >= minLength && count <= rules.maxLength;
  });
}

const ranges: Partial<Record<ScalarType, [bigint, bigint]>> = {
  [ScalarType.INT64]: [-(2n ** 63n), 2n ** 63n - 1n],
  [ScalarType.SINT64]: [-(2n ** 63n), 2n ** 63n - 1n],
  [ScalarType.SFIXED64]: [-(2n ** 63n), 2n ** 63n - 1n],
  [ScalarType.UINT64]: [0n, 2n ** 64n - 1n],
  [ScalarType.FIXED64]: [0n, 2n ** 64n - 1n],
  [ScalarType.UINT32]: [0n, 2n ** 32n - 1n],
  [ScalarType.FIXED32]: [0n, 2n ** 32n - 1n],
};

function numberJson(field: DescField, { exactNumbers = false }: JsonOptions): fc.Arbitrary<unknown> {
  if (field.scalar === ScalarType.DOUBLE) return fc.double({ noNaN: true, noDefaultInfinity: true });
  if (field.scalar === ScalarType.FLOAT) return fc.float({ noNaN: true, noDefaultInfinity: true });
  const [low, high] = ranges[field.scalar!] ?? [-(2n ** 31n), 2n ** 31n - 1n];
  const rules = boundedRulesOf(field, testBounds);
  const safe = BigInt(Number.MAX_SAFE_INTEGER);
  const minimum = largest(rules.minimum ?? low, exactNumbers ? -safe : low);
  const maximum = -largest(-(rules.maximum ?? high), exactNumbers ? -safe : -high);
  const edges = fc.constantFrom(minimum, maximum, ...(minimum <= 0n ? [0n] : []));
  return fc.oneof(fc.bigInt(minimum, rules.clamp ? high : maximum), edges).map((value) => {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  });
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
