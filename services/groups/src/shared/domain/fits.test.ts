import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { describe, expect, test } from '@jest/globals';
import { type Joining, joining, joinRefusal } from './fits.ts';

const { ADULT, TEEN16, TEEN13, CHILD } = AgeBand;
type Minors = 'no' | 'guardian' | 'teens';

describe('how a person may join', () => {
  test.each<[Minors, number, AgeBand, number, Joining]>([
    ['no', 16, ADULT, 16, 'freely'],
    ['no', 13, TEEN16, 13, 'refused'],
    ['no', 16, CHILD, 16, 'refused'],
    ['guardian', 13, ADULT, 16, 'freely'],
    ['guardian', 13, TEEN16, 13, 'with_guardian'],
    ['guardian', 13, CHILD, 13, 'with_guardian'],
    ['teens', 13, TEEN16, 13, 'freely'],
    ['teens', 13, TEEN13, 13, 'freely'],
    ['teens', 13, CHILD, 13, 'with_guardian'],
    ['teens', 16, TEEN16, 13, 'freely'],
    ['teens', 16, TEEN13, 13, 'with_guardian'],
    // The law where the person lives is stricter than the group.
    ['teens', 13, TEEN13, 16, 'with_guardian'],
    ['teens', 13, TEEN13, 14, 'with_guardian'],
    ['teens', 13, TEEN16, 16, 'freely'],
    // Neither the law where they live nor their age is known.
    ['teens', 13, TEEN13, 0, 'with_guardian'],
    ['teens', 13, AgeBand.UNSPECIFIED, 13, 'with_guardian'],
    ['no', 13, AgeBand.UNSPECIFIED, 13, 'refused'],
  ])('minors=%s from %i, age band %i, law %i: %s', (minors, consent_age, ageBand, consentAge, how) => {
    expect(joining({ minors, consent_age }, { ageBand, consentAge })).toBe(how);
  });

  test('a refusal says what would help', () => {
    const kit = { ageBand: CHILD, consentAge: 16, guardians: ['one'] };
    const refusal = (minors: Minors, said: boolean) => joinRefusal({ minors, consent_age: 16 }, kit, said);
    expect(refusal('no', true)).toMatchObject({ details: { code: 'minors_not_allowed' } });
    expect(refusal('guardian', false)).toMatchObject({ details: { code: 'guardian_needed' } });
    expect(refusal('guardian', true)).toBeNull();
    expect(refusal('teens', true)).toBeNull();
  });

  test.each<[Minors, AgeBand, string]>([
    ['teens', TEEN13, 'Ask the app that holds the account to name one, or join once you are 16'],
    ['guardian', TEEN16, 'Ask the app that holds the account to name one, or join once you are 18'],
    ['guardian', CHILD, 'Ask the app that holds the account to name one'],
  ])(
    'a person without a guardian is told what to do, with minors=%s, age band %i',
    (minors, ageBand, what) => {
      const joiner = { ageBand, consentAge: 16, guardians: [] };
      expect(joinRefusal({ minors, consent_age: 16 }, joiner, false)?.message).toBe(
        `a parent or guardian has to say yes first, and this account has no guardian. ${what}`,
      );
    },
  );
});
