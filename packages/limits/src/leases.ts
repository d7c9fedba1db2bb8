import { createLru, type Lru } from '@hearth/cache/lru';
import { RateLimiterRes } from 'rate-limiter-flexible';

/** One key's uses in one window, as far as this process knows. */
interface Lease {
  /** In the time of `performance.now()`. */
  until: number;
  /** Uses counted in this process. */
  used: number;
  /** Uses already counted in Redis that this process may still grant. */
  left: number;
  /** The remaining uses in Redis at the last request. */
  beside: number;
}

/** Below this number of uses, a key is counted one by one, so that every process sees its exact count. */
const leasedFrom = 8;
/**
 * A lease takes at most this fraction of the remaining uses, which other processes lose if it is not used up.
 */
const smallestShare = 16;

/**
 * Uses that a process has counted in Redis in advance, so that a key in steady use rarely needs a request.
 * All processes together never exceed the bound, because Redis counts a lease when it is taken; the unused
 * part ends with its window.
 */
export class Leases {
  readonly #bound: number;
  readonly #leases: Lru<Lease>;

  constructor(bound: number, maxKeys: number) {
    this.#bound = bound;
    this.#leases = createLru(maxKeys);
  }

  /** Grants uses from the lease; null if Redis must be asked. */
  take(key: string, points: number, now: number): RateLimiterRes | null {
    const lease = this.#find(key, now);
    if (lease === undefined || lease.left < points) return null;
    lease.left -= points;
    lease.used += points;
    return this.#standing(lease, now);
  }

  /** The number of uses to lease: as many as were used so far, so that few requests cover many uses. */
  ahead(key: string, now: number): number {
    const lease = this.#find(key, now);
    if (lease === undefined || lease.used < leasedFrom) return 0;
    return Math.min(lease.used, Math.floor(lease.beside / smallestShare));
  }

  /** Records Redis's answer to a request made at `now`; `more` of its count are leased. */
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

  /** Redis's count without the uses still leased here. */
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
