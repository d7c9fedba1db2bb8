import { setTimeout as sleep } from 'node:timers/promises';
import { createLru } from '@hearth/cache/lru';
import { minute } from '@hearth/clock';

/** Keeps pushes below the `requests_a_minute` of each home, with room for questions; what comes meanwhile goes in one push. */
export interface Pace {
  /** Resolves when the next push may go to that home. @throws AbortError when `signal` ends the wait */
  next(home: string, requestsAMinute: number, signal: AbortSignal): Promise<void>;
}

const pushesOfRequests = 0.8;
const mostHomes = 10_000;

export function createPace(now = () => performance.now()): Pace {
  const lastAt = createLru<number>(mostHomes);
  return {
    async next(home, requestsAMinute, signal) {
      const spacingMs = minute / (requestsAMinute * pushesOfRequests);
      const at = Math.max(now(), (lastAt.get(home) ?? Number.NEGATIVE_INFINITY) + spacingMs);
      lastAt.set(home, at);
      const waitMs = at - now();
      if (waitMs > 0) await sleep(waitMs, undefined, { signal });
    },
  };
}
