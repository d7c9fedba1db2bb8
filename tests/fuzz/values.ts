import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { enumNames } from '@hearth/enum-names';
import { FieldKind, TextKind } from '@hearth/proto/options';
import { type Bounds, rulesOf } from '@hearth/proto-json';
import { boundedRulesOf, choicesOf, isObjectText, maxItemsOf, textRulesOf } from '@hearth/proto-json/testing';
import { appEvents, wakeUps } from '@hearth/webhooks';
import fc from 'fast-check';
import type { Pool } from './pool.ts';
import type { Random } from './random.ts';

/** Sources of values. */
export interface Source {
  random: Random;
  pool: Pool;
  bounds: Bounds;
  /** The origin of a receiver that accepts everything. */
  receiver: string;
  /** The kinds of ids that fit {id} in the path. */
  atPath: readonly string[];
  /** The current time in milliseconds. */
  now: number;
}

type Json = Record<string, unknown>;

const deepest = 4;
const parties = ['per', 'ai', 'grp', 'address', 'shp'];

/** Values that suit no field, or another one. Lone surrogates are sent as escapes, which JSON allows. */
const spoilt: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1, 1.5, -0, 1e300, 2 ** 31, 2 ** 32, 2 ** 53, '1', '-1', '1e9', '0x10'],
  ...['', ' ', '\t', 'null', 'undefined', '[]', '{}', [], {}, [[]], [null], { a: { b: [1] } }],
  ...['\u0000', 'a\u0000b', '\ud800', '\udc00x', '\u202e', '\u200d', '\ufeff', 'e\u0301', '🦉'.repeat(50)],
  ...['x'.repeat(141), 'x'.repeat(2_001), 'ä'.repeat(8_001), '9'.repeat(400), 'x'.repeat(20_000)],
  ...['..', '../..', '../../etc/passwd', '%2e%2e', '%2F', '%00', '.', '/', '\\', '//elsewhere.example'],
  ...["' or 1=1 --", '$1', '*', '%', '_', '<script>', '{{7*7}}', '\r\nX: y', '=cmd()'],
  ...['__proto__', 'constructor', 'toString', 'me', '@', '&', 'per_', `per_${'0'.repeat(32)}`, 'urn:x:y'],
  ...[`shp_${'f'.repeat(32)}`, `msg_${'F'.repeat(32)}`, '@nobody-has-it', '@a.b@elsewhere.example', 'YjE'],
  ...['2026-02-30T00:00:00Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999+23:59', '1970-01-01'],
  ...['http://127.0.0.1:1/', 'https://169.254.169.254/', 'javascript:alert(1)', 'https://user:pw@a.invalid/'],
];

const words = [
  'Hello',
  'Würden Sie 9:30 nehmen?',
  'two\nlines',
  '漢字かな',
  '👩‍🚀 hi',
  'a',
  'https://example.com/x',
];
const events = [...wakeUps, ...wakeUps, ...appEvents].map(({ name }) => name);

/** A value that is invalid for the field, or at the edge of what is valid. */
export function badValue(field: DescField, source: Source): unknown {
  const { random, pool, bounds } = source;
  const { minimum, maximum } = boundedRulesOf(field, bounds);
  const good = () => goodValue(field, source);
  switch (random.below(6)) {
    case 0:
      return pool.some(random);
    case 1:
      if (maximum !== undefined) return Number(maximum) + random.pick([0, 1]);
      if (minimum !== undefined) return Number(minimum) - random.pick([0, 1]);
      return field.scalar === ScalarType.STRING ? edgeText(field, source) : random.pick(spoilt);
    case 2: {
      // A duplicate, or more items than allowed.
      const item = good();
      const many = random.pick([1, 2, maxItemsOf(field, bounds), maxItemsOf(field, bounds) + 1]);
      return Array.from({ length: Math.min(many, 300) }, () => (Array.isArray(item) ? item[0] : item));
    }
    case 3:
      return { value: good() };
    default:
      return random.pick(spoilt);
  }
}

/** As long as the field allows, or one character more. */
function edgeText(field: DescField, { random, bounds }: Source): string {
  const { maxLength } = textRulesOf(field, bounds);
  return random.pick(['x', 'é', '🦉']).repeat(Math.min(maxLength, 60_000) + random.pick([0, 1]));
}

/** A value that is valid by the field's rules; ids exist, though they may be others'. */
export function goodValue(field: DescField, source: Source, depth = 0): unknown {
  const { random, bounds } = source;
  if (field.fieldKind === 'map') return {};
  if (field.fieldKind !== 'list') return goodItem(field, source, depth);
  const least = Math.max(rulesOf(field).minItems, random.pick([0, 1, 1, 2, 3]));
  const length = Math.min(least, maxItemsOf(field, bounds));
  return Array.from({ length }, () => goodItem(field, source, depth));
}

function goodItem(field: DescField, source: Source, depth: number): unknown {
  const { random, bounds, now } = source;
  if (field.enum) return random.pick(enumNames(field.enum).names);
  if (field.message?.typeName === 'google.protobuf.Timestamp')
    return new Date(now + random.pick([-86_400_000, -1_000, 60_000, 3_600_000, 86_400_000])).toISOString();
  if (field.message?.typeName.startsWith('google.')) return random.pick([{}, { a: 1 }, { a: [null, 'b'] }]);
  if (field.message) return goodMessage(field.message, source, [], depth + 1);
  if (isObjectText(field)) return random.pick([{}, { a: 1 }, { home: 'elsewhere.example', signature: {} }]);
  if (field.scalar === ScalarType.BOOL) return random.chance(0.5);
  const choices = choicesOf(field);
  if (choices !== null)
    return field.scalar === ScalarType.STRING ? random.pick(choices) : Number(random.pick(choices));
  if (field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES) return goodText(field, source);
  const { minimum = 0n, maximum } = boundedRulesOf(field, bounds);
  const most = Number(maximum ?? 1_000n);
  return random.pick([Number(minimum), most, Math.min(most, Number(minimum) + random.below(100))]);
}

/** All required fields of a message, and some optional ones. */
export function goodMessage(
  desc: DescMessage,
  source: Source,
  omit: readonly string[] = [],
  depth = 0,
): Json {
  const { random } = source;
  const json: Json = {};
  const share = random.pick([0, 0.1, 0.1, 0.5]);
  for (const field of desc.fields) {
    if (omit.includes(field.name)) continue;
    if (field.oneof?.fields.some(({ name }) => name in json)) continue;
    if (field.message !== undefined && depth >= deepest) continue;
    const { required, example } = rulesOf(field);
    // Requests mostly contain the fields that have examples.
    if (required || random.chance(example === '' ? share : 0.9))
      json[field.name] = goodValue(field, source, depth);
  }
  return json;
}

function goodText(field: DescField, source: Source): string {
  const { random, pool, receiver, bounds } = source;
  const { id, kind, example, text } = rulesOf(field);
  const known = (...kinds: string[]) => pool.some(random, kinds) ?? `${kinds[0]}_${'0'.repeat(32)}`;
  if (id.length > 0) return known(...id);
  switch (kind) {
    case FieldKind.REFERENCE:
    case FieldKind.LOCAL_REFERENCE:
      if (random.chance(0.15)) return 'me';
      return known(...kindsOf(field.name, source));
    case FieldKind.LINK_CODE:
      return known('code');
    case FieldKind.CURSOR:
      return known('cursor');
    case FieldKind.REQUEST_ID:
      return `r-${random.below(50)}`;
    case FieldKind.EVENT_NAME:
      return random.pick(events);
    case FieldKind.URL:
      return random.pick([`${receiver}/hook`, 'https://hooks.invalid/a']);
    case FieldKind.TIME_ZONE:
      return random.pick(['Europe/Zurich', 'America/New_York', 'UTC', 'Asia/Kathmandu']);
    case FieldKind.APP_REFERENCE:
      return `their-${random.below(20)}`;
    default:
  }
  if (field.name === 'id') return known(...source.atPath);
  if (field.name === 'kid') return known('kid');
  if (field.name === 'ask_digest') return known('digest');
  if (field.name === 'about' || field.name === 'shared_with') return known('per', 'grp');
  if (example !== '' && random.chance(0.5)) return String(JSON.parse(example));
  const { pattern, maxLength, minLength } = textRulesOf(field, bounds);
  if (pattern !== null) return random.pick(samplesOf(pattern));
  if (text === TextKind.RAW) return random.pick(['a', 'c3Rhcg', 'likes-tea', 'x'.repeat(minLength)]);
  return random.pick(words).slice(0, maxLength).padEnd(minLength, 'x');
}

/** The kinds of things that a reference with this name mostly means. */
function kindsOf(name: string, { atPath }: Source): readonly string[] {
  if (name === 'id') return atPath;
  if (name === 'group' || name === 'parent') return ['grp', 'grp', 'address'];
  if (name === 'person' || name === 'guardian' || name === 'people') return ['per', 'per', 'shp', 'address'];
  return parties;
}

const samples = new Map<string, readonly string[]>();

/** Texts that match a pattern; the same in every run. */
function samplesOf(pattern: string): readonly string[] {
  const made =
    samples.get(pattern) ??
    fc.sample(fc.stringMatching(new RegExp(`^(?:${pattern})$`, 'u')), { seed: 1, numRuns: 20 });
  samples.set(pattern, made);
  return made;
}
