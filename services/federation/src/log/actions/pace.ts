import { setTimeout as sleep } from 'node:timers/promises';
import { createLru } from '@hearth/cache/lru';
import { minute } from '@hearth/clock';

/**
 * Keeps pushes below each home's `requests_a_minute`, with room for other requests; items that arrive while a
 * push waits go with it.
 */
export interface Pace {
  /** Resolves when the next push to that home may start. @throws AbortError if `signal` aborts the wait */
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
