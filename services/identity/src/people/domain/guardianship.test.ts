import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  checkGuardianGiven,
  checkMayEnd,
  checkMinorsAllowed,
  mostGuardians,
  placeGuardian,
  sayEnd,
} from './guardianship.ts';

const now = new Date('2026-03-01T12:00:00Z');

test('an app may hold minors when the operator allows it', () => {
  expect(() => checkMinorsAllowed(true)).not.toThrow();
  for (const not of [false, null])
    expect(() => checkMinorsAllowed(not)).toThrow('may not hold people under 18');
});

describe('a guardian', () => {
  test.each([
    ['child', 0, 13, true],
    ['teen13', 13, 13, false],
    ['teen13', 13, 14, true],
    ['teen13', 14, 14, false],
    ['teen13', 15, 16, true],
    ['teen16', 16, 16, false],
  ] as const)(
    'for a %s of %i, where the age of consent is %i: needed %s',
    (band, leastAge, consentAge, needed) => {
      const check = (given: boolean) => () => checkGuardianGiven({ band, leastAge }, consentAge, given);
      expect(check(true)).not.toThrow();
      if (needed)
        expect(check(false)).toThrow(
          expect.objectContaining({ details: { code: 'guardian_needed', field: 'guardian' } }),
        );
      else expect(check(false)).not.toThrow();
    },
  );

  test('is for minors only', () => {
    expect(() => checkGuardianGiven({ band: 'adult', leastAge: 18 }, 16, true)).toThrow('people under 18');
    expect(() => checkGuardianGiven({ band: 'adult', leastAge: 18 }, 16, false)).not.toThrow();
  });
});

describe('naming a guardian', () => {
  const ids = ['a', 'b', 'c'];
  const after = (
    present: readonly string[],
    placed: { removed: string | null; added: boolean },
    named: string,
  ) => {
    const kept = present.filter((each) => each !== placed.removed);
    return placed.added ? [...kept, named] : kept;
  };

  test.each([
    [[], 'a', false, null, ['a']],
    [['a'], 'b', false, null, ['b']],
    [['a'], 'b', false, 'a', ['b']],
    [['a'], 'b', true, 'a', ['a', 'b']],
    [['a', 'b'], 'c', false, 'b', ['a', 'c']],
    [['a', 'b'], 'c', false, null, ['b', 'c']],
    [['a', 'b'], 'b', false, 'a', ['b']],
    [['a', 'b'], 'b', true, 'a', ['a', 'b']],
    [['a'], 'a', false, 'a', ['a']],
    [['a'], 'a', true, null, ['a']],
  ])('%j names %s (second: %s, by %s): %j', (present, named, second, by, result) => {
    expect(after(present, placeGuardian({ present, named, second, by }), named)).toEqual(result);
  });

  test('leaves one or two guardians, the named one among them, and is idempotent', () => {
    const presents = fc.uniqueArray(fc.constantFrom(...ids), { maxLength: mostGuardians });
    fc.assert(
      fc.property(
        presents,
        fc.constantFrom(...ids),
        fc.boolean(),
        fc.nat(),
        (present, named, second, pick) => {
          const by =
            present.length === 0 || pick % 3 === 2 ? null : (present[pick % present.length] as string);
          let placed: ReturnType<typeof placeGuardian>;
          try {
            placed = placeGuardian({ present, named, second, by });
          } catch (error) {
            expect((error as { details: { code: string } }).details.code).toBe('cap_reached');
            expect(second && present.length === mostGuardians && !present.includes(named)).toBe(true);
            return;
          }
          const result = after(present, placed, named);
          expect(result).toContain(named);
          expect(result.length).toBeLessThanOrEqual(mostGuardians);
          expect(new Set(result).size).toBe(result.length);
          if (second) for (const each of present) expect(result).toContain(each);
          // Repeating it, by the named guardian or with `second`, changes nothing.
          expect(placeGuardian({ present: result, named, second: true, by })).toEqual({
            removed: null,
            added: false,
          });
          expect(placeGuardian({ present: result, named, second: false, by: named })).toEqual({
            removed: null,
            added: false,
          });
        },
      ),
    );
  });
});

describe('the end of a guardianship', () => {
  const row = (guardian: string, childEndedAt: Date | null = null, guardianEndedAt: Date | null = null) => ({
    guardian,
    childEndedAt,
    guardianEndedAt,
  });
  const earlier = new Date('2026-02-01T12:00:00Z');

  test('is for teenagers', () => {
    expect(() => checkMayEnd('child')).toThrow('only be handed over');
    for (const band of ['teen13', 'teen16']) expect(() => checkMayEnd(band)).not.toThrow();
  });

  test('needs both to agree, in any order', () => {
    expect(sayEnd([row('a')], null, now)).toMatchObject({
      ended: [],
      noted: [row('a', now)],
      left: [row('a', now)],
    });
    expect(sayEnd([row('a')], 'a', now)).toMatchObject({ ended: [], noted: [row('a', null, now)] });
    expect(sayEnd([row('a', earlier)], 'a', now)).toEqual({
      ended: [row('a', earlier, now)],
      noted: [],
      left: [],
    });
    expect(sayEnd([row('a', null, earlier)], null, now).ended).toEqual([row('a', now, earlier)]);
  });

  test('repeated changes nothing', () => {
    expect(sayEnd([row('a', earlier)], null, now)).toEqual({
      ended: [],
      noted: [],
      left: [row('a', earlier)],
    });
    expect(sayEnd([row('a', null, earlier)], 'a', now).noted).toEqual([]);
    expect(sayEnd([row('a')], 'b', now)).toEqual({ ended: [], noted: [], left: [row('a')] });
    expect(sayEnd([], null, now)).toEqual({ ended: [], noted: [], left: [] });
  });

  test('with two guardians concerns the one who agrees', () => {
    const said = sayEnd([row('a', null, earlier), row('b')], null, now);
    expect(said.ended.map(({ guardian }) => guardian)).toEqual(['a']);
    expect(said.left).toEqual([row('b', now)]);
  });

  test('happens exactly when the child and that guardian have both agreed', () => {
    const words = fc.array(fc.constantFrom<string>('child', 'a', 'b'), { maxLength: 8 });
    fc.assert(
      fc.property(words, (said) => {
        let rows = [row('a'), row('b')];
        const gone = new Set<string>();
        for (const who of said) {
          const { ended, left } = sayEnd(rows, who === 'child' ? null : who, now);
          for (const each of ended) gone.add(each.guardian);
          rows = left;
        }
        for (const guardian of ['a', 'b']) {
          expect(gone.has(guardian)).toBe(said.includes('child') && said.includes(guardian));
        }
      }),
    );
  });
});
