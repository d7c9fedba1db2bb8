import type { Statement } from './types.ts';

/** Elements of one type in Postgres's binary form. */
interface Element {
  /** pg_type.oid */
  oid: number;
  /** The length in bytes; -1 for a value that the binary form cannot hold. */
  size(value: unknown): number;
  write(value: never, into: Buffer, at: number): void;
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Offsets of each byte's two hex digits. */
const uuidPlaces = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const digitAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code < 58 ? code - 48 : code - 87;
};
/** Postgres counts time from the year 2000, in microseconds. */
const epochMs = 946_684_800_000n;

const text = (oid: number): Element => ({
  oid,
  size: (value) => (typeof value === 'string' ? Buffer.byteLength(value) : -1),
  write: (value: string, into, at) => void into.write(value, at),
});

/** A format number, then text. */
const jsonb: Element = {
  oid: 3802,
  size: (value) => (typeof value === 'string' ? 1 + Buffer.byteLength(value) : -1),
  write: (value: string, into, at) => void into.write(value, into.writeUInt8(1, at)),
};

const bytea: Element = {
  oid: 17,
  size: (value) => (Buffer.isBuffer(value) ? value.length : -1),
  write: (value: Buffer, into, at) => void value.copy(into, at),
};

const uuid: Element = {
  oid: 2950,
  size: (value) => (typeof value === 'string' && uuidShape.test(value) ? 16 : -1),
  write(value: string, into, at) {
    for (let byte = 0; byte < 16; byte += 1) {
      const place = uuidPlaces[byte]!;
      into[at + byte] = digitAt(value, place) * 16 + digitAt(value, place + 1);
    }
  },
};

const boolean: Element = {
  oid: 16,
  size: (value) => (typeof value === 'boolean' ? 1 : -1),
  write: (value: boolean, into, at) => void into.writeUInt8(Number(value), at),
};

const integer = (oid: number, bytes: 2 | 4): Element => {
  const most = 2 ** (bytes * 8 - 1);
  return {
    oid,
    size: (value) => (Number.isInteger(value) && Number(value) >= -most && Number(value) < most ? bytes : -1),
    write: (value: number, into, at) => void into.writeIntBE(value, at, bytes),
  };
};

const bigint: Element = {
  oid: 20,
  size: (value) => (Number.isSafeInteger(value) ? 8 : -1),
  write: (value: number, into, at) => void into.writeBigInt64BE(BigInt(value), at),
};

const timestamptz: Element = {
  oid: 1184,
  size: (value) => (value instanceof Date && !Number.isNaN(value.getTime()) ? 8 : -1),
  write: (value: Date, into, at) =>
    void into.writeBigInt64BE((BigInt(value.getTime()) - epochMs) * 1_000n, at),
};

const elements = new Map<string, Element>([
  ['text', text(25)],
  ['json', text(114)],
  ['jsonb', jsonb],
  ['bytea', bytea],
  ['uuid', uuid],
  ['boolean', boolean],
  ['smallint', integer(21, 2)],
  ['int', integer(23, 4)],
  ['bigint', bigint],
  ['timestamptz', timestamptz],
]);

const cast = /\$(\d+)::([a-z]+)\[\]/g;
/** By statement name: the element type of each value that the text casts to an array. */
const known = new Map<string, (Element | undefined)[]>();

function elementsOf(name: string, statement: string): (Element | undefined)[] {
  const found = known.get(name);
  if (found !== undefined) return found;
  const given: (Element | undefined)[] = [];
  for (const [, number, type] of statement.matchAll(cast)) given[Number(number) - 1] = elements.get(type!);
  known.set(name, given);
  return given;
}

const isNull = (value: unknown): value is null | undefined => value === null || value === undefined;

function encodeArray({ oid, size, write }: Element, values: readonly unknown[]): Buffer | null {
  // Number of dimensions, flags, element type; then the length and lower bound of the single dimension.
  const head = values.length === 0 ? [0, 0, oid] : [1, 0, oid, values.length, 1];
  let total = 4 * head.length;
  for (const value of values) {
    const bytes = isNull(value) ? 0 : size(value);
    if (bytes < 0) return null;
    total += 4 + bytes;
  }
  const encoded = Buffer.allocUnsafe(total);
  let at = 0;
  for (const word of head) at = encoded.writeInt32BE(word, at);
  for (const value of values) {
    const bytes = isNull(value) ? -1 : size(value);
    at = encoded.writeInt32BE(bytes, at);
    if (bytes < 0) continue;
    write(value as never, encoded, at);
    at += bytes;
  }
  return encoded;
}

/**
 * Returns the statement with its arrays in Postgres's binary form, if it has a name and its text casts them
 * ($1::text[]): in text form, each element is escaped here and parsed character by character there. An array with a
 * value that does not fit its type stays unchanged, and Postgres reports the problem.
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
