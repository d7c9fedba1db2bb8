import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';

/*
 * The counters of rate-limiter-flexible with a bound on their memory: theirs hold every key for its window, and
 * whoever owns a large network can make keys without end.
 */

export interface KeysBound {
  /** The most keys that are held. */
  maxKeys: number;
}

/** Counts in this process. Beyond its bound, the key that was used longest ago begins anew. */
export class BoundedMemory extends RateLimiterMemory {
  readonly #maxKeys: number;
  /** Used longest ago first. */
  readonly #keys = new Set<string>();
  /** Goes along with the set: one that begins anew would pass over all that was deleted before. */
  readonly #fromOldest = this.#keys.values();

  constructor({ maxKeys, ...options }: ConstructorParameters<typeof RateLimiterMemory>[0] & KeysBound) {
    super(options);
    this.#maxKeys = maxKeys;
  }

  override consume(key: string, points?: number): Promise<RateLimiterRes> {
    this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size > this.#maxKeys) {
      const oldest = this.#fromOldest.next().value as string;
      this.#keys.delete(oldest);
      void this.delete(oldest);
    }
    return super.consume(key, points);
  }
}

/**
 * Counts in Redis, and refuses from memory whoever used everything up. Beyond its bound it forgets who did, and
 * asks Redis again.
 */
export class BoundedRedis extends RateLimiterRedis {
  readonly #maxKeys: number;
  #refused = 0;

  constructor({ maxKeys, ...options }: ConstructorParameters<typeof RateLimiterRedis>[0] & KeysBound) {
    super({ ...options, inMemoryBlockOnConsumed: options.points });
    this.#maxKeys = maxKeys;
  }

  override async consume(key: string, points?: number): Promise<RateLimiterRes> {
    try {
      const result = await super.consume(key, points);
      this.#note(result);
      return result;
    } catch (refused) {
      this.#note(refused as Partial<RateLimiterRes>);
      throw refused;
    }
  }

  /** A refusal from memory does not know how much was consumed. */
  #note({ consumedPoints = 0 }: Partial<RateLimiterRes>): void {
    if (this.points === 0 || consumedPoints < this.points) return;
    this.#refused += 1;
    if (this.#refused <= this.#maxKeys) return;
    this.deleteInMemoryBlockedAll();
    this.#refused = 0;
  }
}
