import type { Cache } from '@hearth/cache';
import type { Clock } from '@hearth/clock';
import { internal, rateLimited } from '@hearth/errors';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { BoundedMemory, BoundedRedis } from './bounded-counters.ts';
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
   * Counts one use; null when this kind of caller has no bound, or is none (the operator).
   * @throws rate_limited when none is left, naming the limit and when it resets
   */
  consume(
    limit: LimitName,
    key: string,
    kind: CallerKind | undefined,
    points?: number,
  ): Promise<Usage | null>;
  /** The same without counting. */
  peek(limit: LimitName, key: string, kind: CallerKind | undefined): Promise<Usage | null>;
}

export interface LimiterOptions {
  limits: Limits;
  /** With Redis behind it the replicas count together; else each process counts for itself. */
  cache: Pick<Cache, 'redis'>;
  clock: Clock;
  /** Before the keys in Redis: several homes share one. */
  prefix: string;
}

/** A limit as it holds for one kind of caller. */
interface Rate {
  name: LimitName;
  kind: CallerKind;
  bound: number;
  windowSeconds: number;
}

/** The most keys of one limit and kind of caller; a key and its count take about 0.5 KB. */
const maxKeys = 50_000;

/** Counts uses in fixed windows. Where Redis is lost, each process counts for itself until it is back. */
export function createLimiter({ limits, cache, clock, prefix }: LimiterOptions): Limiter {
  const counters = new Map<string, RateLimiterAbstract>();
  const client = cache.redis && createCountingClient(cache.redis);

  function counterOf({ name, kind, bound, windowSeconds }: Rate): RateLimiterAbstract {
    const id = `${name}:${kind}`;
    let found = counters.get(id);
    if (found === undefined) {
      const options = { keyPrefix: `${prefix}${id}`, points: bound, duration: windowSeconds, maxKeys };
      const memory = new BoundedMemory(options);
      found =
        client === undefined
          ? memory
          : new BoundedRedis({
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

  function rateFor(name: LimitName, kind: CallerKind | undefined): Rate | null {
    const { values, windowSeconds } = limits[name];
    if (windowSeconds === undefined) throw internal(`${name} is not counted over time`);
    if (kind === undefined) return null;
    const bound = values[kind];
    return bound === null ? null : { name, kind, bound, windowSeconds };
  }

  function usage({ name, bound, windowSeconds }: Rate, result: RateLimiterRes | null): Usage {
    const msBeforeNext = result?.msBeforeNext ?? 0;
    return {
      limit: name,
      bound,
      windowSeconds,
      remaining: Math.max(0, result?.remainingPoints ?? bound),
      resetsAt: clock.now() + (msBeforeNext > 0 ? msBeforeNext : windowSeconds * 1_000),
    };
  }

  return {
    async consume(limit, key, kind, points = 1) {
      const rate = rateFor(limit, kind);
      if (rate === null) return null;
      try {
        return usage(rate, await counterOf(rate).consume(key, points));
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw internal('uses could not be counted', refused);
        throw rateLimited(limit, new Date(usage(rate, refused).resetsAt));
      }
    },
    async peek(limit, key, kind) {
      const rate = rateFor(limit, kind);
      return rate === null ? null : usage(rate, await counterOf(rate).get(key));
    },
  };
}
