import type { Cache } from '@hearth/cache';
import type { Clock } from '@hearth/clock';
import { internal, rateLimited } from '@hearth/errors';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { BoundedMemory, BoundedRedis } from './bounded-counters.ts';
import type { CallerKind, LimitName } from './declared.ts';
import type { Limits } from './limits.ts';
import { widerNetworks } from './network-key.ts';
import { createCountingClient } from './redis-counters.ts';

/** A caller's usage of one limit. */
export interface Usage {
  limit: LimitName;
  bound: number;
  windowSeconds: number;
  remaining: number;
  /** Milliseconds since 1970. */
  resetsAt: number;
}

/** Uses of one limit by one key. */
export interface Use {
  limit: LimitName;
  key: string;
  kind: CallerKind | undefined;
  /** Default: 1. */
  points?: number;
}

export interface Limiter {
  /**
   * Counts one use. Null if this kind of caller has no limit, or is the operator.
   *
   * @throws rate_limited if none is left, naming the limit and when it resets
   */
  consume(
    limit: LimitName,
    key: string,
    kind: CallerKind | undefined,
    points?: number,
  ): Promise<Usage | null>;
  /**
   * Counts all of these uses, or none if any of them exceeds its limit: a refused operation must not use
   * anything up.
   *
   * @throws rate_limited as `consume` does
   */
  consumeAll(uses: readonly Use[]): Promise<void>;
  /** The usage, without counting. */
  peek(limit: LimitName, key: string, kind: CallerKind | undefined): Promise<Usage | null>;
}

export interface LimiterOptions {
  limits: Limits;
  /** With Redis the replicas count together; otherwise each process counts separately. */
  cache: Pick<Cache, 'redis'>;
  clock: Clock;
  /** Prefix of the keys in Redis, which several homes may share. */
  prefix: string;
}

/** A limit for one kind of caller. */
interface Rate {
  name: LimitName;
  kind: CallerKind;
  /** The multiple of the limit's bound, for the sum of many networks. */
  times: number;
  bound: number;
  windowSeconds: number;
}

/** The most keys for one limit and kind of caller; a key with its count takes about 0.5 KB. */
const maxKeys = 50_000;

/** Counts uses in fixed windows. While Redis is unreachable, each process counts separately. */
export function createLimiter({ limits, cache, clock, prefix }: LimiterOptions): Limiter {
  const counters = new Map<string, RateLimiterAbstract>();
  const client = cache.redis && createCountingClient(cache.redis);

  function counterOf({ name, kind, times, bound, windowSeconds }: Rate): RateLimiterAbstract {
    const id = times === 1 ? `${name}:${kind}` : `${name}:${kind}:${times}`;
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
    return bound === null ? null : { name, kind, times: 1, bound, windowSeconds };
  }

  /** The key's own counter, then the counters of the wider networks around it. */
  function countsOf(rate: Rate, key: string): [Rate, string][] {
    const wider = widerNetworks(key).map(({ network, times }): [Rate, string] => [
      { ...rate, times, bound: rate.bound * times },
      network,
    ]);
    return [[rate, key], ...wider];
  }

  /** The usage with the fewest uses left. */
  async function tightest(rate: Rate, key: string, ask: (rate: Rate, key: string) => Promise<Usage>) {
    let found: Usage | undefined;
    for (const [each, network] of countsOf(rate, key)) {
      const usage = await ask(each, network);
      if (found === undefined || usage.remaining < found.remaining) found = usage;
    }
    return found!;
  }

  function usage({ name, bound, windowSeconds }: Rate, result: RateLimiterRes | null): Usage {
    const windowMs = windowSeconds * 1_000;
    // Longer if the clock was set back: this process counts by a timer, so its window still ends on time.
    const msBeforeNext = Math.min(result?.msBeforeNext ?? 0, windowMs);
    return {
      limit: name,
      bound,
      windowSeconds,
      remaining: Math.max(0, result?.remainingPoints ?? bound),
      resetsAt: clock.now() + (msBeforeNext > 0 ? msBeforeNext : windowMs),
    };
  }

  const limiter: Limiter = {
    async consume(limit, key, kind, points = 1) {
      const rate = rateFor(limit, kind);
      if (rate === null) return null;
      return tightest(rate, key, async (each, network) => {
        try {
          return usage(each, await counterOf(each).consume(network, points));
        } catch (refused) {
          if (!(refused instanceof RateLimiterRes)) throw internal('uses could not be counted', refused);
          throw rateLimited(limit, new Date(usage(each, refused).resetsAt));
        }
      });
    },
    async consumeAll(uses) {
      // A single use of one point is atomic by itself, so most requests need no check first.
      const alone = uses.length === 1 && (uses[0]!.points ?? 1) === 1;
      const standing = await Promise.all(
        alone ? [] : uses.map(({ limit, key, kind }) => limiter.peek(limit, key, kind)),
      );
      for (const [index, now] of standing.entries()) {
        const { limit, points = 1 } = uses[index]!;
        if (now !== null && now.remaining < points)
          throw rateLimited(limit, new Date(now.resetsAt), now.remaining);
      }
      for (const { limit, key, kind, points } of uses) await limiter.consume(limit, key, kind, points);
    },
    async peek(limit, key, kind) {
      const rate = rateFor(limit, kind);
      if (rate === null) return null;
      return tightest(rate, key, async (each, network) => usage(each, await counterOf(each).get(network)));
    },
  };
  return limiter;
}
