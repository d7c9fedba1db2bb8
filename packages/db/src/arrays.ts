import type { Statement } from './types.ts';

/** The bytes of one element; null for what such an array has no place for. */
type Encode = (value: unknown) => Buffer | null;

interface Element {
  /** pg_type.oid */
  oid: number;
  encode: Encode;
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Postgres counts time from the year 2000, in microseconds. */
const epochMs = 946_684_800_000n;

const text: Encode = (value) => (typeof value === 'string' ? Buffer.from(value) : null);

const bytea: Encode = (value) => (Buffer.isBuffer(value) ? value : null);

const uuid: Encode = (value) =>
  typeof value === 'string' && uuidShape.test(value) ? Buffer.from(value.replaceAll('-', ''), 'hex') : null;

const boolean: Encode = (value) => (typeof value === 'boolean' ? Buffer.from([Number(value)]) : null);

const integer =
  (bytes: 2 | 4): Encode =>
  (value) => {
    const most = 2 ** (bytes * 8 - 1);
    if (!Number.isInteger(value) || Number(value) < -most || Number(value) >= most) return null;
    const encoded = Buffer.allocUnsafe(bytes);
    encoded.writeIntBE(Number(value), 0, bytes);
    return encoded;
  };

const bigint: Encode = (value) => {
  if (!Number.isSafeInteger(value)) return null;
  const encoded = Buffer.allocUnsafe(8);
  encoded.writeBigInt64BE(BigInt(value as number));
  return encoded;
};

const timestamptz: Encode = (value) => {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) return null;
  const encoded = Buffer.allocUnsafe(8);
  encoded.writeBigInt64BE((BigInt(value.getTime()) - epochMs) * 1_000n);
  return encoded;
};

const elements = new Map<string, Element>([
  ['text', { oid: 25, encode: text }],
  ['json', { oid: 114, encode: text }],
  ['bytea', { oid: 17, encode: bytea }],
  ['uuid', { oid: 2950, encode: uuid }],
  ['boolean', { oid: 16, encode: boolean }],
  ['smallint', { oid: 21, encode: integer(2) }],
  ['int', { oid: 23, encode: integer(4) }],
  ['bigint', { oid: 20, encode: bigint }],
  ['timestamptz', { oid: 1184, encode: timestamptz }],
]);

const cast = /\$(\d+)::([a-z]+)\[\]/g;
/** By names of statements: the elements of each value that the text casts to an array. */
const known = new Map<string, (Element | undefined)[]>();

function elementsOf(name: string, statement: string): (Element | undefined)[] {
  const found = known.get(name);
  if (found !== undefined) return found;
  const given: (Element | undefined)[] = [];
  for (const [, number, type] of statement.matchAll(cast)) given[Number(number) - 1] = elements.get(type!);
  known.set(name, given);
  return given;
}

const word = (value: number): Buffer => {
  const encoded = Buffer.allocUnsafe(4);
  encoded.writeInt32BE(value);
  return encoded;
};
const [zero, one, nothing] = [word(0), word(1), word(-1)];

function encodeArray({ oid, encode }: Element, values: readonly unknown[]): Buffer | null {
  // Dimensions, flags, type; of each dimension its length, and the number of the first.
  const parts =
    values.length === 0 ? [zero, zero, word(oid)] : [one, zero, word(oid), word(values.length), one];
  for (const value of values) {
    if (value === null || value === undefined) {
      parts.push(nothing);
      continue;
    }
    const encoded = encode(value);
    if (encoded === null) return null;
    parts.push(word(encoded.length), encoded);
  }
  return Buffer.concat(parts);
}

/**
 * The same statement with its arrays in Postgres's binary form, where it has a name and its text says their type
 * ($1::text[]): as text every element is escaped here and read letter by letter there. An array with a value that its
 * type does not have stays as it is, and Postgres says what is wrong.
 */
export function withBinaryArrays(statement: Statement): Statement {
  const { name, text, values } = statement;
  if (name === undefined || values === undefined) return statement;
  const given = elementsOf(name, text);
  if (given.length === 0) return statement;
  const encoded = values.map((value, index) => {
    const element = given[index];
    return element !== undefined && Array.isArray(value) ? (encodeArray(element, value) ?? value) : value;
  });
  return { ...statement, values: encoded };
}
