import { createLru } from '@hearth/cache/lru';
import { minute } from '@hearth/clock';

/**
 * Homes that were asked in vain five times within a minute are not asked for another: whoever waits for one of them is told at
 * once. Afterwards one question goes out, and its outcome opens the way or closes it again.
 */
export interface Breaker {
  /** Milliseconds until the home may be asked; 0: now. A question that may go out counts as the one that tries. */
  waitMs(home: string, now: number): number;
  failed(home: string, now: number): void;
  /** It answered, or sent something itself. */
  answered(home: string): void;
}

interface State {
  /** When it failed, the latest last. */
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
      // A clock that was set back must not close it for longer.
      if (state.openUntil > now && state.openUntil <= now + withinMs) return state.openUntil - now;
      state.openUntil = now + withinMs;
      return 0;
    },
    failed(home, now) {
      const state = states.get(home) ?? { failures: [], openUntil: 0 };
      state.failures = [...state.failures.filter((at) => at > now - withinMs && at <= now), now].slice(-most);
      if (state.failures.length >= most) state.openUntil = now + withinMs;
      states.set(home, state);
    },
    answered: (home) => void states.delete(home),
  };
}
