import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { withBinaryArrays } from './arrays.ts';
import type { Database } from './database.ts';
import { type OwnDatabase, ownDatabase } from './test-support.ts';

let own: OwnDatabase;
let database: Database;
beforeAll(async () => {
  own = await ownDatabase();
  database = own.open({ maxConnections: 1 });
});
afterAll(() => own.remove());

const arrayOf = (arbitrary: fc.Arbitrary<unknown>) => fc.array(fc.option(arbitrary), { maxLength: 20 });
const text = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', '\\ "'));
const kinds: [type: string, values: fc.Arbitrary<unknown[]>][] = [
  ['text', arrayOf(text)],
  ['json', arrayOf(fc.json())],
  // Postgres cannot store U+0000 in jsonb.
  ['jsonb', arrayOf(fc.json({ stringUnit: 'grapheme-ascii' }))],
  ['bytea', arrayOf(fc.uint8Array().map((bytes) => Buffer.from(bytes)))],
  ['uuid', arrayOf(fc.uuid())],
  ['boolean', arrayOf(fc.boolean())],
  ['timestamptz', arrayOf(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }))],
  ['smallint', arrayOf(fc.integer({ min: -32_768, max: 32_767 }))],
  ['int', arrayOf(fc.integer())],
  ['bigint', arrayOf(fc.maxSafeInteger())],
];

describe.each(kinds)('an array of %s', (type, values) => {
  // `asText` has no name, so its arrays are sent as text.
  const binary = { name: `binary_${type}`, text: `select $1::${type}[] as list` };
  const asText = { text: binary.text };

  test('reaches the database in binary form, unchanged', async () => {
    const property = fc.asyncProperty(values, async (list) => {
      const [sent] = withBinaryArrays({ ...binary, values: [list] }).values!;
      expect(sent).toBeInstanceOf(Buffer);
      const given = await database.db.one({ ...binary, values: [list] });
      expect(given).toEqual(await database.db.one({ ...asText, values: [list] }));
    });
    await fc.assert(property, { numRuns: 50 });
  });
});

test.each([
  ['uuid', ['1, 2']],
  ['uuid', [7]],
  ['smallint', [32_768]],
  ['int', [1.5]],
  ['boolean', ['yes']],
  ['bytea', ['\\x00']],
  ['timestamptz', ['2030-01-01']],
  ['text', [['a', 'b']]],
  ['numeric', [1]],
])('an array of %s with %j stays as it is', (type, list) => {
  const statement = { name: `other_${type}`, text: `select $1::${type}[]`, values: [list] };
  expect(withBinaryArrays(statement).values).toEqual([list]);
});

test('a parameter without a declared type stays unchanged', () => {
  const statement = { name: 'unsaid', text: 'select where $1 = any($2)', values: ['a', ['a']] };
  expect(withBinaryArrays(statement)).toEqual(statement);
});
