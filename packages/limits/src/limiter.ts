import type { Cache } from '@hearth/cache';
import type { Clock } from '@hearth/clock';
import { internal, rateLimited } from '@hearth/errors';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { CallerKind, LimitName } from './declared.ts';
import type { Limits } from './limits.ts';
import { createCountingClient } from './redis-counters.ts';

/** Where a caller stands with one limit. */
export interface Usage {
  limit: LimitName;
  bound: number;
  windowSeconds: number;
  remaining: number;
  /** Milliseconds since 1970. */
  resetsAt: number;
}

export interface Limiter {
  /**
   * Counts one use; null when this kind of caller has no bound.
   * @throws rate_limited when none is left, naming the limit and when it resets
   */
  consume(limit: LimitName, key: string, kind: CallerKind, points?: number): Promise<Usage | null>;
  /** The same without counting. */
  peek(limit: LimitName, key: string, kind: CallerKind): Promise<Usage | null>;
}

export interface LimiterOptions {
  limits: Limits;
  /** With Redis behind it the replicas count together; else each process counts for itself. */
  cache: Pick<Cache, 'redis'>;
  clock: Clock;
  /** Before the keys in Redis: several homes share one. */
  prefix: string;
}

/** Counts uses in fixed windows. Where Redis is lost, each process counts for itself until it is back. */
export function createLimiter({ limits, cache, clock, prefix }: LimiterOptions): Limiter {
  const counters = new Map<string, RateLimiterAbstract>();
  const client = cache.redis && createCountingClient(cache.redis);

  function counter(
    name: LimitName,
    kind: CallerKind,
    bound: number,
    windowSeconds: number,
  ): RateLimiterAbstract {
    const id = `${name}:${kind}`;
    let found = counters.get(id);
    if (found === undefined) {
      const options = { keyPrefix: `${prefix}${id}`, points: bound, duration: windowSeconds };
      const memory = new RateLimiterMemory(options);
      found =
        client === undefined
          ? memory
          : new RateLimiterRedis({
              ...options,
              storeClient: client,
              useRedisPackage: true,
              rejectIfRedisNotReady: true,
              insuranceLimiter: memory,
            });
      counters.set(id, found);
    }
    return found;
  }

  function bounds(name: LimitName, kind: CallerKind): { bound: number; windowSeconds: number } | null {
    const { values, windowSeconds } = limits[name];
    if (windowSeconds === undefined) throw internal(`${name} is a size, not a rate`);
    const bound = values[kind];
    return bound === null ? null : { bound, windowSeconds };
  }

  function usage(
    limit: LimitName,
    { bound, windowSeconds }: { bound: number; windowSeconds: number },
    result: RateLimiterRes | null,
  ): Usage {
    const msBeforeNext = result?.msBeforeNext ?? 0;
    return {
      limit,
      bound,
      windowSeconds,
      remaining: Math.max(0, result?.remainingPoints ?? bound),
      resetsAt: clock.now() + (msBeforeNext > 0 ? msBeforeNext : windowSeconds * 1_000),
    };
  }

  return {
    async consume(limit, key, kind, points = 1) {
      const set = bounds(limit, kind);
      if (set === null) return null;
      try {
        return usage(
          limit,
          set,
          await counter(limit, kind, set.bound, set.windowSeconds).consume(key, points),
        );
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw internal('uses could not be counted', refused);
        throw rateLimited(limit, new Date(usage(limit, set, refused).resetsAt));
      }
    },
    async peek(limit, key, kind) {
      const set = bounds(limit, kind);
      if (set === null) return null;
      const result = await counter(limit, kind, set.bound, set.windowSeconds).get(key);
      return usage(limit, set, result);
    },
  };
}
