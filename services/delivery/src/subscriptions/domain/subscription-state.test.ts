import { fixed } from '@hearth/limits';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Attempted,
  attempted,
  freshState,
  renewed,
  type SubscriptionState,
} from './subscription-state.ts';

const start = Date.parse('2026-03-01T12:00:00Z');
const at = (ms: number) => new Date(start + ms);
const minute = 60_000;

const wakeUp = (number: number, rest: Partial<Attempted> = {}): Attempted => ({
  message: 'wake_up',
  number,
  attempts: 0,
  at: at(0),
  error: 'http_5xx',
  status: 500,
  ...rest,
});
const works = { error: null, status: 200 };

describe('attempts to deliver a wake-up', () => {
  test('are made at 0, 5 s, 30 s, 2 min and 8 min, and then no more', () => {
    let now = 0;
    const pauses: (number | string)[] = [];
    let state: SubscriptionState = freshState;
    for (let attempts = 0; attempts < fixed.wake_up_attempts; attempts += 1) {
      const step = attempted(state, wakeUp(7, { attempts, at: at(now) }));
      state = step.state;
      if (step.fate.status !== 'waiting') pauses.push(step.fate.status);
      else {
        const due = step.fate.dueAt!.getTime() - start;
        pauses.push(due - now);
        now = due;
      }
    }
    expect(pauses).toEqual([5_000, 30_000, 2 * minute, 8 * minute, 'given_up']);
    expect(state).toMatchObject({ failedSince: at(0), lastError: 'http_5xx', abandonedInRow: 1, gapFrom: 6 });
  });

  test.each([410, 413])('end with a %i', (status) => {
    const step = attempted(freshState, wakeUp(7, { status, error: 'http_4xx' }));
    expect(step.fate).toEqual({ status: 'given_up' });
    expect(step.state.gapFrom).toBe(6);
  });

  test('go on after any other refusal', () => {
    for (const status of [400, 401, 404, 408, 429, 500, 503, 301, null])
      expect(attempted(freshState, wakeUp(1, { status })).fate.status).toBe('waiting');
  });
});

describe('the gap notice', () => {
  const gaveUp = attempted(freshState, wakeUp(7, { status: 410 }));

  test('is due as soon as a wake-up is accepted, from before the first one given up', () => {
    expect(gaveUp.gapDueAt).toEqual(at(10 * minute));
    const second = attempted(gaveUp.state, wakeUp(9, { status: 410 }));
    expect(second.gapDueAt).toBeUndefined();
    const taken = attempted(second.state, wakeUp(10, { ...works, at: at(minute) }));
    expect(taken).toMatchObject({ gapDueAt: at(minute), state: { gapFrom: 6 } });
  });

  test('is sent once', () => {
    const told = attempted(gaveUp.state, wakeUp(0, { message: 'gap', ...works }));
    expect(told.state.gapFrom).toBeNull();
    expect(attempted(told.state, wakeUp(11, works)).gapDueAt).toBeUndefined();
  });

  test('is retried ever more rarely while the address does not answer, and never given up', () => {
    const pauses = Array.from({ length: 300 }, (_, attempts) => {
      const { fate } = attempted(gaveUp.state, wakeUp(0, { message: 'gap', attempts, status: 410 }));
      return fate.status === 'waiting' ? (fate.dueAt!.getTime() - start) / minute : fate.status;
    });
    expect(pauses.slice(0, 4)).toEqual([10, 20, 40, 60]);
    expect(new Set(pauses.slice(3))).toEqual(new Set([60]));
  });
});

describe('a subscription is suspended', () => {
  const many = (count: number, failing: (index: number) => boolean, spreadMs: number) => {
    let state: SubscriptionState = freshState;
    for (let index = 0; index < count; index += 1) {
      const step = attempted(
        state,
        wakeUp(index + 1, { at: at(index * spreadMs), ...(failing(index) ? {} : works) }),
      );
      state = step.state;
    }
    return state;
  };

  test('when more than 95 % of a hundred attempts in an hour fail', () => {
    expect(many(99, () => true, 1_000).suspendedAt).toBeNull();
    expect(many(100, () => true, 1_000).suspendedAt).toEqual(at(99_000));
    // Failures: 95 of 100, then 96.
    expect(many(100, (index) => index >= 5, 1_000).suspendedAt).toBeNull();
    expect(many(100, (index) => index >= 4, 1_000).suspendedAt).not.toBeNull();
  });

  test('but not when they are spread over more than an hour', () => {
    expect(many(100, () => true, minute).suspendedAt).toBeNull();
  });

  test('when twenty in a row were given up, but not when one in between was accepted', () => {
    const giveUp = (state: SubscriptionState, count: number) => {
      let after = state;
      for (let index = 1; index <= count; index += 1)
        after = attempted(after, wakeUp(index, { status: 410, at: at(index * minute) })).state;
      return after;
    };
    expect(giveUp(freshState, 19).suspendedAt).toBeNull();
    expect(giveUp(freshState, 20).suspendedAt).toEqual(at(20 * minute));
    const between = attempted(giveUp(freshState, 19), wakeUp(20, works)).state;
    expect(giveUp(between, 19).suspendedAt).toBeNull();
  });

  test('and continues after a renewal, which sends the gap notice at once', () => {
    const state = many(100, () => true, 1_000);
    const { state: after, gapDueAt } = renewed(state, at(minute));
    expect(after).toMatchObject({ suspendedAt: null, abandonedInRow: 0, recent: [] });
    // Due at the failure before the suspension.
    expect(gapDueAt).toEqual(at(minute));
    expect(after.gapFrom).toBe(99);
    expect(renewed(freshState, at(0))).toEqual({ state: freshState });
  });
});

describe('invariants of a subscription', () => {
  const outcome = fc.constantFrom(
    { error: null, status: 200 },
    { error: 'http_5xx', status: 500 },
    { error: 'timeout', status: null },
    { error: 'http_4xx', status: 410 },
  );
  const happening = fc.record({
    what: fc.constantFrom('new', 'attempt', 'attempt', 'attempt', 'renew'),
    outcome,
    pick: fc.nat(),
    // Clocks may be set back, too.
    passes: fc.integer({ min: -30 * minute, max: 90 * minute }),
  });

  /** A model of the tables: waiting, delivered and missed wake-ups. */
  class World {
    state: SubscriptionState = freshState;
    now = start;
    next = 1;
    readonly waiting = new Map<number, number>();
    readonly delivered = new Set<number>();
    readonly missed = new Set<number>();
    gap: { attempts: number; due: Date | null } | null = null;
    gapsDelivered = 0;

    add() {
      const number = this.next++;
      if (this.state.suspendedAt === null) this.waiting.set(number, 0);
      else this.missed.add(number);
    }

    attempt(pick: number, result: { error: string | null; status: number | null }) {
      const choices = [...this.waiting.keys(), ...(this.gap?.due ? [0] : [])];
      const number = choices[pick % Math.max(1, choices.length)];
      if (number === undefined) return;
      const isGap = number === 0;
      const attempts = isGap ? this.gap!.attempts : this.waiting.get(number)!;
      const from = this.state.gapFrom;
      const step = attempted(this.state, {
        message: isGap ? 'gap' : 'wake_up',
        number,
        attempts,
        at: new Date(this.now),
        ...result,
      });
      this.state = step.state;
      if (isGap) this.settleGap(step.fate, from);
      else this.settle(number, attempts, step.fate);
      if (step.gapDueAt !== undefined) this.gap = { attempts: this.gap?.attempts ?? 0, due: step.gapDueAt };
      if (step.suspends) this.suspend();
    }

    private settleGap(fate: ReturnType<typeof attempted>['fate'], from: number | null) {
      if (fate.status === 'waiting') this.gap = { attempts: this.gap!.attempts + 1, due: fate.dueAt };
      else {
        expect(fate.status).toBe('delivered');
        // Asking again from there returns everything that was missed.
        for (const number of this.missed) expect(number).toBeGreaterThan(from!);
        this.missed.clear();
        this.gap = null;
        this.gapsDelivered += 1;
      }
    }

    private settle(number: number, attempts: number, fate: ReturnType<typeof attempted>['fate']) {
      if (fate.status === 'waiting') this.waiting.set(number, attempts + 1);
      else {
        this.waiting.delete(number);
        (fate.status === 'delivered' ? this.delivered : this.missed).add(number);
      }
    }

    private suspend() {
      const open = [...this.waiting.keys()];
      const from = Math.min(...open.map((number) => number - 1), this.state.gapFrom ?? Infinity);
      this.state = { ...this.state, gapFrom: from };
      for (const number of open) this.missed.add(number);
      this.waiting.clear();
      this.gap = { attempts: this.gap?.attempts ?? 0, due: null };
    }

    renew() {
      const { state, gapDueAt } = renewed(this.state, new Date(this.now));
      this.state = state;
      if (gapDueAt !== undefined) this.gap = { attempts: this.gap?.attempts ?? 0, due: gapDueAt };
    }

    check() {
      const { state } = this;
      // No wake-up is both delivered and missed, and none is lost silently: a gap reports it sooner or later.
      for (const number of this.missed) expect(this.delivered.has(number)).toBe(false);
      if (this.missed.size > 0) {
        expect(state.gapFrom).not.toBeNull();
        expect(state.gapFrom!).toBeLessThan(Math.min(...this.missed));
        expect(this.gap).not.toBeNull();
        if (state.suspendedAt === null) expect(this.gap!.due).not.toBeNull();
      }
      if (state.suspendedAt !== null) expect(this.waiting.size).toBe(0);
      for (const [, attempts] of this.waiting) expect(attempts).toBeLessThan(5);
      expect(state.recent.length).toBeLessThanOrEqual(12);
      expect(state.failedSince === null).toBe(state.lastError === null);
    }
  }

  test('nothing is lost without a gap notice', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 400 }), (happenings) => {
        const world = new World();
        for (const { what, outcome: result, pick, passes } of happenings) {
          world.now += passes;
          if (what === 'new') world.add();
          else if (what === 'renew') world.renew();
          else world.attempt(pick, result);
          world.check();
        }
        // Once the address answers, every wake-up is delivered or reported.
        world.renew();
        for (let left = 0; left < 1_000; left += 1) world.attempt(0, { error: null, status: 200 });
        world.check();
        expect([world.waiting.size, world.missed.size, world.gap]).toEqual([0, 0, null]);
      }),
      { numRuns: 300 },
    );
  });
});
