import { isHearthError } from '@hearth/errors';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Act, type Course, type Decision, next, outcomeOf, settled } from './machine.ts';

const course = (needs: 'any' | 'all', count: number): Course => ({
  status: 'waiting',
  needs,
  why: null,
  asked: Array.from({ length: count }, (_, position) => ({ position, decision: 'waiting', why: null })),
});
const yes = (position: number): Act => ({ kind: 'answer', position, decision: 'approved' });
const no = (position: number): Act => ({ kind: 'answer', position, decision: 'declined' });
const gone = (...positions: number[]): Act => ({ kind: 'drop', positions, why: 'recipient_gone' });
const run = (start: Course, ...acts: Act[]) => acts.reduce(next, start);

describe('the ask’s state machine', () => {
  test.each([
    ['any: one yes', run(course('any', 3), no(0), yes(2)), 'approved'],
    ['any: a no of two', run(course('any', 2), no(0)), 'waiting'],
    ['any: everybody says no', run(course('any', 2), no(1), no(0)), 'declined'],
    ['all: a yes of two', run(course('all', 2), yes(0)), 'waiting'],
    ['all: everybody says yes', run(course('all', 2), yes(0), yes(1)), 'approved'],
    ['all: one no', run(course('all', 3), yes(0), no(2)), 'declined'],
    ['cancelled', run(course('any', 1), { kind: 'cancel' }), 'cancelled'],
    ['expired', run(course('all', 2), yes(0), { kind: 'expire' }), 'expired'],
    ['any: one of two is gone', run(course('any', 2), gone(0)), 'waiting'],
    ['any: the last one is gone', run(course('any', 2), no(0), gone(1)), 'declined'],
    ['all: one is gone, whose yes was needed', run(course('all', 2), gone(0)), 'declined'],
    ['somebody else is gone', run(course('any', 2), gone(7)), 'waiting'],
  ])('%s', (_, { status }, expected) => expect(status).toBe(expected));

  test('gives the reason when an ask is declined without an answer', () => {
    expect(run(course('any', 2), gone(0, 1)).why).toBe('recipient_gone');
    expect(run(course('any', 2), gone(0), { kind: 'drop', positions: [1], why: 'blocked' }).why).toBe(
      'blocked',
    );
    expect(run(course('any', 2), gone(0), no(1)).why).toBeNull();
    expect(run(course('any', 2), no(0), gone(1)).why).toBeNull();
  });

  test('takes one answer per place, and none after it is settled', () => {
    const taken = expect.objectContaining({ details: expect.objectContaining({ code: 'already_settled' }) });
    expect(() => run(course('all', 2), yes(0), yes(0))).toThrow(taken);
    expect(() => run(course('all', 2), yes(0), no(0))).toThrow(taken);
    expect(() => run(course('any', 2), yes(0), no(1))).toThrow(taken);
    expect(() => run(course('any', 1), yes(0), { kind: 'cancel' })).toThrow(taken);
    expect(() => run(course('any', 1), { kind: 'cancel' }, yes(0))).toThrow(taken);
  });

  test('returns the same ask when nothing changes', () => {
    const cancelled = run(course('any', 1), { kind: 'cancel' });
    expect(next(cancelled, { kind: 'cancel' })).toBe(cancelled);
    expect(next(cancelled, { kind: 'expire' })).toBe(cancelled);
    expect(next(cancelled, gone(0))).toBe(cancelled);
  });
});

const decision = fc.constantFrom<'approved' | 'declined'>('approved', 'declined');
const acts = (count: number): fc.Arbitrary<Act> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ kind: fc.constant('answer'), position: fc.nat(count - 1), decision }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('drop'),
        positions: fc.array(fc.nat(count), { maxLength: 3 }),
        why: fc.constantFrom('by_rule', 'blocked', 'recipient_gone'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('cancel', 'expire') }) },
  ) as fc.Arbitrary<Act>;

const histories = fc
  .record({ needs: fc.constantFrom<'any' | 'all'>('any', 'all'), count: fc.integer({ min: 1, max: 6 }) })
  .chain(({ needs, count }) =>
    fc.record({ start: fc.constant(course(needs, count)), acts: fc.array(acts(count), { maxLength: 30 }) }),
  );

/** The protocol's table, written independently of the code. */
function expected(needs: 'any' | 'all', decisions: readonly Decision[]): string {
  const count = (word: Decision) => decisions.filter((one) => one === word).length;
  const { length } = decisions;
  if (needs === 'any')
    return count('approved') > 0 ? 'approved' : count('declined') === length ? 'declined' : 'waiting';
  return count('declined') > 0 ? 'declined' : count('approved') === length ? 'approved' : 'waiting';
}

describe('any events in any order', () => {
  test('nobody answers twice, the ask settles once, and its status follows from the answers', () => {
    fc.assert(
      fc.property(histories, ({ start, acts: history }) => {
        let now = start;
        let settlements = 0;
        for (const act of history) {
          const before = now;
          try {
            now = next(before, act);
          } catch (error) {
            if (!isHearthError(error)) throw error;
            expect(error.details.code).toBe('already_settled');
            continue;
          }
          if (before.status !== 'waiting') expect(now).toBe(before);
          if (before.status === 'waiting' && now.status !== 'waiting') settlements += 1;
          for (const [index, ask] of before.asked.entries()) {
            if (ask.decision !== 'waiting') expect(now.asked[index]).toEqual(ask);
          }
          const decisions = now.asked.map((ask) => ask.decision);
          if (now.status === 'cancelled' || now.status === 'expired') {
            expect(expected(now.needs, decisions)).toBe('waiting');
          } else expect(now.status).toBe(expected(now.needs, decisions));
          if (now.why !== null) expect(now.status).toBe('declined');
          expect(now.asked.map(({ position }) => position)).toEqual(
            start.asked.map(({ position }) => position),
          );
        }
        expect(settlements).toBe(now.status === 'waiting' ? 0 : 1);
      }),
      { numRuns: 500 },
    );
  });

  test('the order of answers does not matter while all of them count', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<'any' | 'all'>('any', 'all'),
        fc.array(fc.constantFrom<Decision>('waiting', 'approved', 'declined'), {
          minLength: 1,
          maxLength: 8,
        }),
        (needs, decisions) => {
          const asked = decisions.map((one, position) => ({ position, decision: one, why: null }));
          const outcome = outcomeOf(needs, decisions);
          expect(outcome).toBe(expected(needs, decisions));
          expect(outcomeOf(needs, [...decisions].reverse())).toBe(outcome);
          expect(settled({ status: 'waiting', needs, why: null, asked }).status).toBe(outcome);
        },
      ),
    );
  });
});
