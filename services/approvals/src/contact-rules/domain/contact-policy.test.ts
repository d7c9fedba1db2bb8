import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decideReach, isCapped, type ReachFacts } from './contact-policy.ts';
import { ruleActions } from './rules.ts';

const ai = '0190a000-0000-7000-8000-000000000001';
const guardian = '0190a000-0000-7000-8000-000000000002';

const facts: fc.Arbitrary<ReachFacts> = fc.record({
  own: fc.boolean(),
  blocked: fc.boolean(),
  takesAll: fc.boolean(),
  sharesGroup: fc.boolean(),
  minor: fc.boolean(),
  voiceless: fc.boolean(),
  toAi: fc.boolean(),
  unseen: fc.boolean(),
  family: fc.boolean(),
  guardian: fc.option(fc.constant(guardian)),
  guardianBlocks: fc.boolean(),
  remembered: fc.boolean(),
  wroteBefore: fc.boolean(),
  checked: fc.boolean(),
  rule: fc.record({
    action: fc.constantFrom(...ruleActions),
    checkedOnly: fc.boolean(),
    weeklyCap: fc.option(fc.integer({ min: 1, max: 1_000 })),
  }),
  frontDoor: fc.option(fc.constant(ai)),
});

/** Strangers who are decided on by the rules alone. */
const strangers = facts.map((each) => ({
  ...each,
  own: false,
  blocked: false,
  takesAll: false,
  family: false,
  sharesGroup: false,
  remembered: false,
  wroteBefore: false,
  minor: false,
}));

function holds(from: fc.Arbitrary<ReachFacts>, check: (given: ReachFacts) => void): void {
  fc.assert(fc.property(from, check), { numRuns: 500 });
}

describe('how a sender reaches a recipient', () => {
  test('a block overrides everything except being the same person', () => {
    holds(facts, (given) => {
      const { how } = decideReach({ ...given, own: false, blocked: true });
      expect(how).toBe('turned_away');
    });
  });

  test('a shared group or a remembered sender leads to the inbox, whatever the rules say', () => {
    holds(facts, (given) => {
      const open = { ...given, blocked: false, voiceless: false, toAi: false, unseen: false };
      const shared = { ...open, sharesGroup: true };
      const remembered = { ...open, remembered: true };
      expect(decideReach(shared)).toEqual({ how: 'inbox' });
      expect(decideReach(remembered)).toEqual({ how: 'inbox' });
    });
  });

  test('a message for a child without an app or sign-in goes to the guardian, or to nobody', () => {
    holds(facts, (given) => {
      const child = { ...given, minor: true, voiceless: true, toAi: false, unseen: false };
      const theirs = { ...child, own: false, blocked: false, takesAll: false, family: false };
      for (const how of [{ sharesGroup: true }, { remembered: true }]) {
        const reaches = given.guardian !== null && !given.guardianBlocks;
        expect(decideReach({ ...theirs, ...how })).toEqual(
          reaches ? { how: 'requests', guardian, known: true } : { how: 'turned_away' },
        );
        expect(decideReach({ ...theirs, ...how, family: true })).toEqual({ how: 'inbox' });
      }
    });
  });

  test('a stranger reaches a person under 18 only through a guardian', () => {
    const minors = facts.map((each) => ({
      ...each,
      own: false,
      takesAll: false,
      minor: true,
      toAi: false,
      sharesGroup: false,
      remembered: false,
      family: false,
    }));
    holds(minors, (given) => {
      const decision = decideReach(given);
      const asks = given.rule.action === 'ask' && (given.checked || !given.rule.checkedOnly);
      if (!given.blocked && !given.guardianBlocks && asks && given.guardian !== null)
        expect(decision).toEqual({ how: 'requests', guardian });
      else expect(decision).toEqual({ how: 'turned_away' });
    });
  });

  test('a sender whom the recipient wrote to before is let through', () => {
    holds(strangers, (given) => {
      expect(decideReach({ ...given, wroteBefore: true })).toEqual({ how: 'inbox' });
    });
  });

  test('checked_only turns away unverified senders', () => {
    holds(strangers, (given) => {
      const decision = decideReach({ ...given, checked: false, rule: { ...given.rule, checkedOnly: true } });
      expect(decision).toEqual({ how: 'turned_away' });
    });
  });

  test('a person under 18 at an address the sender may not know is reached through a guardian, or not at all', () => {
    holds(facts, (given) => {
      const decision = decideReach({ ...given, own: false, minor: true, unseen: true });
      expect(decision.how === 'turned_away' || decision.how === 'requests').toBe(true);
      if (decision.how === 'requests') expect([decision.guardian, given.toAi]).toEqual([guardian, false]);
      const adult = { ...given, minor: false };
      expect(decideReach({ ...adult, unseen: true })).toEqual(decideReach({ ...adult, unseen: false }));
    });
  });

  test('an AI of a person under 18 is reachable only for them and their guardians', () => {
    holds(facts, (given) => {
      const { how } = decideReach({ ...given, own: false, family: false, minor: true, toAi: true });
      expect(how).toBe('turned_away');
    });
  });

  test('the action of the matching row decides for every other sender', () => {
    const passing = strangers.map((each) => ({ ...each, checked: true }));
    holds(passing, (given) => {
      const decision = decideReach(given);
      const { action } = given.rule;
      if (action === 'turn_away') expect(decision).toEqual({ how: 'turned_away' });
      if (action === 'decline') expect(decision).toEqual({ how: 'declined' });
      if (action === 'ask') expect(decision).toEqual({ how: 'requests', guardian: null });
      if (action === 'front_door') {
        const open = given.frontDoor !== null;
        expect(decision).toEqual(open ? { how: 'front_door', ai } : { how: 'requests', guardian: null });
      }
    });
  });

  test('only senders who get through by the rules count towards the cap', () => {
    holds(facts, (given) => {
      const decision = decideReach(given);
      const isKnown = decision.how === 'requests' && decision.known === true;
      if (isKnown) expect([given.voiceless, given.sharesGroup || given.remembered]).toEqual([true, true]);
      expect(isCapped(decision) || isKnown).toBe(
        decision.how === 'requests' || decision.how === 'front_door',
      );
      if (isCapped(decision)) expect(['ask', 'front_door']).toContain(given.rule.action);
    });
  });
});
