import { createLru, type Lru } from '@hearth/cache/lru';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Leases } from './leases.ts';

/*
 * Bounds the memory of the counters in rate-limiter-flexible, which hold every key for its whole window: the
 * owner of a large network could create keys without end.
 */

export interface KeysBound {
  /** The most keys held. */
  maxKeys: number;
}

/** Counts in this process. Beyond the bound, the least recently used key starts over. */
export class BoundedMemory extends RateLimiterMemory {
  /**
   * Not a Set with an iterator kept at its oldest key: for such an iterator, V8 retains every table that the
   * set outgrew.
   */
  readonly #keys: Lru<true>;

  constructor({ maxKeys, ...options }: ConstructorParameters<typeof RateLimiterMemory>[0] & KeysBound) {
    super(options);
    this.#keys = createLru<true>(maxKeys, (_, key) => void this.delete(key));
  }

  override consume(key: string, points?: number): Promise<RateLimiterRes> {
    this.#keys.set(key, true);
    return super.consume(key, points);
  }
}

/**
 * Counts in Redis, with leases for keys in steady use, and refuses exhausted keys from memory. Beyond the
 * bound it forgets the exhausted keys and asks Redis again.
 */
export class BoundedRedis extends RateLimiterRedis {
  readonly #maxKeys: number;
  readonly #leases: Leases;
  readonly #isReady: () => boolean;
  #refused = 0;

  constructor({ maxKeys, ...options }: ConstructorParameters<typeof RateLimiterRedis>[0] & KeysBound) {
    super({ ...options, inMemoryBlockOnConsumed: options.points });
    this.#maxKeys = maxKeys;
    this.#leases = new Leases(this.points, maxKeys);
    this.#isReady = () => (options.storeClient as { isReady: boolean }).isReady;
  }

  override async consume(key: string, points = 1): Promise<RateLimiterRes> {
    const now = performance.now();
    const leased = this.#leases.take(key, points, now);
    if (leased !== null) return leased;
    const more = this.#isReady() ? this.#leases.ahead(key, now) : 0;
    try {
      const result = await super.consume(key, points + more);
      this.#note(result);
      return this.#leases.note(key, points, more, result, now);
    } catch (refused) {
      this.#note(refused as Partial<RateLimiterRes>);
      if (isOfEarlierClock(refused, this.msDuration)) {
        this.deleteInMemoryBlockedAll();
        return await this.consume(key, points);
      }
      // Other processes used part of what would have been leased.
      const over = refused instanceof RateLimiterRes ? refused.consumedPoints - this.points : more;
      if (more > 0 && over > 0 && over <= more)
        return this.#leases.note(key, points, more - over, refused as RateLimiterRes, now);
      throw refused;
    }
  }

  override async get(key: string): Promise<RateLimiterRes | null> {
    const told = await super.get(key);
    // A window from before the server's clock was set back.
    if (told !== null && told.msBeforeNext > this.msDuration) return null;
    return this.#leases.corrected(key, told, performance.now());
  }

  /** A refusal from memory does not carry the number consumed. */
  #note({ consumedPoints = 0 }: Partial<RateLimiterRes>): void {
    if (this.points === 0 || consumedPoints < this.points) return;
    this.#refused += 1;
    if (this.#refused <= this.#maxKeys) return;
    this.deleteInMemoryBlockedAll();
    this.#refused = 0;
  }
}

/**
 * Whether this is a refusal from memory from before the clock was set back, which would outlast its window.
 */
function isOfEarlierClock(refused: unknown, windowMs: number): boolean {
  return refused instanceof RateLimiterRes && refused.consumedPoints === 0 && refused.msBeforeNext > windowMs;
}
