import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  compare,
  cutPage,
  type MemberPlace,
  placeOf,
  printMemberPlace,
  readMemberPlace,
  type ToldPlace,
} from './member-order.ts';

const hex = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
    .map((digits) => digits.join(''));
const uuid = hex(32).map((digits) =>
  [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ].join('-'),
);
const places: fc.Arbitrary<MemberPlace> = fc
  .tuple(fc.integer({ min: 0, max: 20 }), uuid, fc.option(hex(32)))
  .map(([at, person, shielded]) =>
    placeOf(new Date(at), person, shielded === null ? null : `shp_${shielded}`),
  );

describe('the order of members', () => {
  test('pages contain every member once, in one order, whatever the page size', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(places, { selector: printMemberPlace, maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        (all, limit) => {
          const entries = [...all].sort(compare);
          const seen: MemberPlace[] = [];
          let after: ToldPlace | null = null;
          for (;;) {
            const { shown, more }: { shown: MemberPlace[]; more: boolean } = cutPage(entries, after, limit);
            seen.push(...shown);
            const last = shown.at(-1);
            if (!more || last === undefined) break;
            after = readMemberPlace(printMemberPlace(last));
          }
          expect(seen).toEqual(entries);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('reveals nothing about when a shielded member joined', () => {
    const [early, late] = [new Date(1), new Date(2)].map((at) =>
      placeOf(at, 'uuid', `shp_${'a'.repeat(32)}`),
    );
    expect(early).toEqual(late);
    expect(Buffer.from(printMemberPlace(early as MemberPlace), 'base64url').toString()).toBe(
      `shp_${'a'.repeat(32)}`,
    );
  });

  test('accepts no other text as a position', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => readMemberPlace(text)).toThrow('next_cursor');
      }),
    );
  });
});
