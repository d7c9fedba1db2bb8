import pg from 'pg';

/** Object ids (pg_type.oid) of types that the default conversion would damage. */
const oids = {
  int8: 20,
  date: 1082,
  timestamp: 1114,
  int8Array: 1016,
  dateArray: 1182,
  timestampArray: 1115,
};

type Parse = (text: string) => unknown;

function parseInt8(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

const asText: Parse = (text) => text;
const textArray = pg.types.getTypeParser(1009 as never, 'text') as (text: string) => (string | null)[];

function parseInt8Array(text: string): (number | bigint | null)[] {
  return textArray(text).map((item) => (item === null ? null : parseInt8(item)));
}

const parsers = new Map<number, Parse>([
  [oids.int8, parseInt8],
  [oids.int8Array, parseInt8Array],
  // A date has no zone: a Date object would shift with the machine's time zone.
  [oids.date, asText],
  [oids.timestamp, asText],
  [oids.dateArray, textArray],
  [oids.timestampArray, textArray],
]);

/** How a connection converts Postgres's values. */
export const valueTypes = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) ||
    pg.types.getTypeParser(oid as never, format as never)) as typeof pg.types.getTypeParser,
};
