import { isHearthError } from '@hearth/errors';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Act, dueAt, mostOptions, next } from './machine.ts';
import {
  askedOf,
  isFinal,
  lastEnd,
  type Plan,
  type Planner,
  type Stance,
  stanceOn,
  waitingOn,
} from './plan.ts';

const people = ['ada', 'ben', 'cleo', 'kid'];
const day = (number: number) => `1970-01-0${number}`;
const hour = 3_600_000;

const planner = (person: string): Planner => ({
  person,
  guardians: person === 'kid' ? ['ada'] : [],
  aiShare: true,
  home: null,
  acts: {},
  organizer: person === 'ada',
  asked: true,
  stances: [],
  choice: null,
});

const start = (status: 'asked' | 'open'): Plan => ({
  status,
  why: null,
  reason: null,
  options: [
    { id: 1, label: '', starts: day(2), ends: null },
    { id: 2, label: '', starts: '1970-01-01T20:00:00Z', ends: '1970-01-01T22:00:00Z' },
  ],
  people: people.map(planner),
  deadline_at: new Date(20 * hour),
  clash_at: null,
  settle_asked: false,
  settled_option: null,
  settled_at: null,
});

const kinds = ['works', 'doesnt_work', 'approve'] as const;
const stance = (option: number, word: Stance['stance']): Stance => ({
  option,
  stance: word,
  note: '',
  by: 'x',
  as: 'ai',
  address: '@x.ai-y',
  at: 0,
});
const who = fc.oneof(fc.constant(people), fc.subarray(people, { minLength: 1 }));
// The rpc rejects duplicate options.
const words = fc
  .uniqueArray(fc.integer({ min: 1, max: 3 }), { minLength: 1 })
  .chain((options) =>
    fc.tuple(...options.map((option) => fc.constantFrom(...kinds).map((word) => stance(option, word)))),
  );

const acts: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('stance' as const),
      people: who,
      stances: words,
      replace: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('choose' as const),
      people: who,
      option: fc.integer({ min: 1, max: 3 }),
    }),
  },
  fc
    .integer({ min: 3, max: 9 })
    .map((number): Act => ({ kind: 'add', option: { label: '', starts: day(number), ends: null } })),
  fc.record({
    kind: fc.constant('settle' as const),
    option: fc.integer({ min: 1, max: 3 }),
    confirmRefused: fc.boolean(),
  }),
  fc.constant<Act>({ kind: 'extend', deadline: 60 * hour }),
  fc.constant<Act>({ kind: 'cancel', why: 'cancelled' }),
  fc.constant<Act>({ kind: 'begin', deadline: 30 * hour }),
  fc
    .constantFrom(...people)
    .map((gone): Act => ({ kind: 'know', people: (now) => now.filter(({ person }) => person !== gone) })),
  fc.constant<Act>({ kind: 'pass' }),
);
const steps = fc.array(fc.tuple(acts, fc.integer({ min: 0, max: 12 * hour })), {
  minLength: 8,
  maxLength: 25,
});

interface Step {
  before: Plan;
  act: Act;
  after: Plan;
  at: number;
  refusal: string | undefined;
}

/** The state after each act; a refused act leaves the state unchanged. */
function walk(status: 'asked' | 'open', taken: readonly (readonly [Act, number])[]): Step[] {
  let state = start(status);
  let at = 0;
  return taken.map(([act, later]) => {
    at += later;
    const before = state;
    let refusal: string | undefined;
    try {
      state = next(before, act, at);
    } catch (error) {
      if (!isHearthError(error)) throw error;
      refusal = error.details.code;
    }
    return { before, act, after: state, at, refusal };
  });
}

const settles = ({ before, after }: Step) => before.status !== 'settled' && after.status === 'settled';

describe('invariants of a plan', () => {
  const always = (check: (step: Step) => void) =>
    fc.assert(
      fc.property(fc.constantFrom('asked' as const, 'open' as const), steps, (status, taken) => {
        for (const step of walk(status, taken)) check(step);
      }),
      { numRuns: 300 },
    );

  test('an ended plan does not change, and refuses acts as ended', () => {
    always(({ before, after, refusal }) => {
      if (!isFinal(before)) return;
      expect(after).toBe(before);
      expect([undefined, 'already_settled']).toContain(refusal);
    });
  });

  test('everybody has at most one stance on an option, and stances and choices name existing options', () => {
    always(({ after: { people: planners, options } }) => {
      const ids = options.map(({ id }) => id);
      expect(ids).toEqual(ids.map((_, index) => index + 1));
      expect(ids.length).toBeLessThanOrEqual(mostOptions);
      for (const { stances, choice } of planners) {
        expect(new Set(stances.map(({ option }) => option)).size).toBe(stances.length);
        for (const { option } of stances) expect(ids).toContain(option);
        if (choice !== null) expect(ids).toContain(choice);
      }
    });
  });

  test('the stances of a person are those of the last act for that person', () => {
    // The model: per person, a map of stances after each act.
    fc.assert(
      fc.property(steps, (taken) => {
        const model = new Map(people.map((person) => [person, new Map<number, string>()]));
        for (const { before, act, after } of walk('open', taken)) {
          if (act.kind === 'stance' && after !== before)
            for (const person of act.people) {
              const kept = act.replace ? [] : [...(model.get(person) ?? [])];
              model.set(
                person,
                new Map([...kept, ...act.stances.map((one) => [one.option, one.stance] as const)]),
              );
            }
          for (const person of after.people)
            for (const { id } of after.options)
              expect(stanceOn(person, id)).toBe(model.get(person.person)?.get(id) ?? null);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('it is settled when all approve, by most choices, or by an organizer', () => {
    always((step) => {
      if (!settles(step)) return;
      const { before, act, after } = step;
      const option = after.settled_option as number;
      expect(before.status).toBe('open');
      expect(after.options.some(({ id }) => id === option)).toBe(true);
      if (act.kind === 'settle') return expect(option).toBe(act.option);
      const asked = askedOf(after);
      expect(asked.length).toBeGreaterThan(0);
      if (before.clash_at === null) for (const one of asked) expect(stanceOn(one, option)).toBe('approve');
      else expect(asked.filter(({ choice }) => choice === option).length * 2).toBeGreaterThan(asked.length);
    });
  });

  test('an option that everyone refuses is settled only with confirm_refused', () => {
    always((step) => {
      const { act, before } = step;
      if (!settles(step) || act.kind !== 'settle' || act.confirmRefused) return;
      expect(askedOf(before).every((one) => stanceOn(one, act.option) === 'doesnt_work')).toBe(false);
    });
  });

  test('people choose exactly when somebody refuses each option', () => {
    always(({ before, after }) => {
      if (before.clash_at !== null || after.clash_at === null) return;
      for (const { id } of after.options)
        expect(askedOf(after).some((one) => stanceOn(one, id) === 'doesnt_work')).toBe(true);
      expect(askedOf(after).every(({ choice }) => choice === null)).toBe(true);
    });
  });

  test('a plan that needs the organizers’ approval takes no stances until it begins', () => {
    always(({ before, act, after }) => {
      if (before.status !== 'asked' || after === before) return;
      expect(['begin', 'cancel', 'know']).toContain(act.kind);
      expect(waitingOn(before)).toEqual([]);
      if (act.kind === 'cancel') expect(after).toMatchObject({ status: 'cancelled', why: 'declined' });
    });
  });

  test('until it ends, it waits for somebody, for the organizers, or for a deadline', () => {
    always(({ after, at }) => {
      if (after.status !== 'open') return expect(waitingOn(after)).toEqual([]);
      const due = dueAt(after) as number;
      expect(due).toBeLessThanOrEqual(lastEnd(after));
      // Passing that time changes it once; a second pass changes nothing.
      const later = next(after, { kind: 'pass' }, Math.max(due, at));
      expect(later).not.toBe(after);
      if (later.status === 'open') expect(next(later, { kind: 'pass' }, Math.max(due, at))).toBe(later);
    });
  });

  test('organizers who were asked after the deadline are not asked again about a new option', () => {
    always(({ before, act, after, at }) => {
      if (act.kind !== 'add' || after === before || before.deadline_at.getTime() > at) return;
      expect(after.settle_asked).toBe(before.settle_asked);
    });
  });
});
