import { createLru } from '@hearth/cache/lru';
import { minute } from '@hearth/clock';

/**
 * Circuit breaker: opens for a minute after five failures within a minute, and callers fail fast. Then one
 * trial request (half-open) closes or reopens it.
 */
export interface Breaker {
  /** Returns the ms until the home may be asked; 0 for now. A 0 after an open period counts as the trial request. */
  waitMs(home: string, now: number): number;
  noteFailure(home: string, now: number): void;
  /** The home answered, or sent a request itself. */
  noteAnswer(home: string): void;
}

interface State {
  /** Times of recent failures, newest last. */
  failures: number[];
  openUntil: number;
}

const most = 5;
const withinMs = minute;
const mostHomes = 10_000;

export function createBreaker(): Breaker {
  const states = createLru<State>(mostHomes);
  return {
    waitMs(home, now) {
      const state = states.get(home);
      if (state === undefined || state.openUntil === 0) return 0;
      // If the clock was set back, the breaker must not stay open longer.
      if (state.openUntil > now && state.openUntil <= now + withinMs) return state.openUntil - now;
      state.openUntil = now + withinMs;
      return 0;
    },
    noteFailure(home, now) {
      const state = states.get(home) ?? { failures: [], openUntil: 0 };
      state.failures = [...state.failures.filter((at) => at > now - withinMs && at <= now), now].slice(-most);
      if (state.failures.length >= most) state.openUntil = now + withinMs;
      states.set(home, state);
    },
    noteAnswer: (home) => void states.delete(home),
  };
}
