import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Migration } from './files.ts';
import { pendingMigrations } from './plan.ts';

const file = (number: number, sha256 = `sum of ${number}`): Migration => ({
  number,
  name: 'step',
  file: `${String(number).padStart(4, '0')}-step.sql`,
  text: '',
  sha256,
});
const applied = (...numbers: number[]) =>
  numbers.map((number) => ({ number, name: 'step', sha256: `sum of ${number}` }));
const numbers = (files: Migration[]) => files.map((migration) => migration.number);

describe('the migrations still to apply', () => {
  test('are those after the last applied one', () => {
    expect(numbers(pendingMigrations('s', [file(1), file(2), file(3)], applied(1)))).toEqual([2, 3]);
    expect(pendingMigrations('s', [file(1)], applied(1))).toEqual([]);
    expect(pendingMigrations('s', [], [])).toEqual([]);
  });

  test('are none when the database is ahead of the code', () => {
    expect(pendingMigrations('s', [file(1)], applied(1, 2, 3))).toEqual([]);
  });

  test('are refused when a file was changed, removed, or inserted below', () => {
    expect(() => pendingMigrations('s', [file(1, 'other'), file(2)], applied(1))).toThrow(
      '0001-step.sql was changed after',
    );
    expect(() => pendingMigrations('s', [file(1), file(3)], applied(1, 2))).toThrow('its file is missing');
    expect(() => pendingMigrations('s', [file(1), file(2), file(3)], applied(1, 3))).toThrow(
      'give it a higher number',
    );
  });

  test('lead to every file being applied, from any starting point', () => {
    const history = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(history, fc.nat(20), fc.nat(20), (all, filesKnown, done) => {
        const order = all.toSorted((a, b) => a - b);
        const files = order.slice(0, filesKnown).map((number) => file(number));
        const before = applied(...order.slice(0, done));
        const pending = pendingMigrations('s', files, before);
        expect(numbers(pending)).toEqual(order.slice(done, Math.max(done, filesKnown)));
        const after = [...before, ...applied(...numbers(pending))];
        expect(pendingMigrations('s', files, after)).toEqual([]);
      }),
    );
  });
});
