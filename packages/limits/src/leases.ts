import { createLru, type Lru } from '@hearth/cache/lru';
import { RateLimiterRes } from 'rate-limiter-flexible';

/** The uses of one key in one window, as this process knows them. */
interface Lease {
  /** On the clock of `performance.now()`. */
  until: number;
  /** Uses that were counted here. */
  used: number;
  /** Uses that are counted in Redis already and that this process has still to give. */
  left: number;
  /** Uses that Redis had left beside them when it was asked last. */
  beside: number;
}

/** A key that is used less in this process is counted one by one: every process then sees its count exactly. */
const leasedFrom = 8;
/** Another process may miss so much of what was left at most, where this one does not use up its lease. */
const smallestShare = 16;

/**
 * Uses that a process has counted in Redis ahead, so that a key in steady use asks Redis seldom. All processes together give no
 * more than the bound, for Redis counts a lease when it is made; one that is not used up ends with its window.
 */
export class Leases {
  readonly #bound: number;
  readonly #leases: Lru<Lease>;

  constructor(bound: number, maxKeys: number) {
    this.#bound = bound;
    this.#leases = createLru(maxKeys);
  }

  /** Null where Redis is to be asked. */
  take(key: string, points: number, now: number): RateLimiterRes | null {
    const lease = this.#find(key, now);
    if (lease === undefined || lease.left < points) return null;
    lease.left -= points;
    lease.used += points;
    return this.#standing(lease, now);
  }

  /** How many uses to count ahead: as many as before, so that few questions count many. */
  ahead(key: string, now: number): number {
    const lease = this.#find(key, now);
    if (lease === undefined || lease.used < leasedFrom) return 0;
    return Math.min(lease.used, Math.floor(lease.beside / smallestShare));
  }

  /** Notes an answer of Redis to a question that was asked at `now`: `more` of its count are left to give. */
  note(key: string, points: number, more: number, answer: RateLimiterRes, now: number): RateLimiterRes {
    let lease = this.#find(key, now);
    if (lease === undefined) {
      lease = { until: now + answer.msBeforeNext, used: 0, left: 0, beside: 0 };
      this.#leases.set(key, lease);
    }
    lease.used += points;
    lease.left += more;
    lease.beside = Math.max(0, this.#bound - answer.consumedPoints);
    return this.#standing(lease, now);
  }

  /** The count that Redis tells, without those that are still to be given here. */
  corrected(key: string, told: RateLimiterRes | null, now: number): RateLimiterRes | null {
    const left = this.#find(key, now)?.left ?? 0;
    if (told === null || left === 0) return told;
    const used = told.consumedPoints - left;
    return new RateLimiterRes(Math.max(0, this.#bound - used), told.msBeforeNext, used);
  }

  #standing({ until, left, beside }: Lease, now: number): RateLimiterRes {
    const remaining = left + beside;
    return new RateLimiterRes(remaining, until - now, this.#bound - remaining);
  }

  #find(key: string, now: number): Lease | undefined {
    const lease = this.#leases.get(key);
    return lease !== undefined && lease.until > now ? lease : undefined;
  }
}
