import type { RedisGuard } from './redis-guard.ts';

/**
 * Values that the replicas of a home may forget at any moment: nothing rests on them. A cache that cannot be reached
 * is an empty one; no call of it throws or hangs.
 */
export interface Cache {
  get(key: string): Promise<string | null>;
  /** @param ttlSeconds after which it is gone (1 or more) */
  set(key: string, value: string, ttlSeconds: number): Promise<void>;
  delete(key: string): Promise<void>;
  health(): { ok: boolean; reason?: string };
  /** The connection behind it, for counters that replicas share; undefined in memory. */
  readonly redis: RedisGuard | undefined;
  close(): Promise<void>;
}
