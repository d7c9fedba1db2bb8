import type { RedisGuard } from './redis-guard.ts';

/**
 * Values that a home's replicas share and may lose at any moment; nothing depends on them.
 * An unreachable cache behaves like an empty one: its calls never throw and never hang.
 */
export interface Cache {
  get(key: string): Promise<string | null>;
  /** @param ttlSeconds lifetime, 1 or more */
  set(key: string, value: string, ttlSeconds: number): Promise<void>;
  delete(key: string): Promise<void>;
  health(): { ok: boolean; reason?: string };
  /** The underlying connection, for counters that replicas share; undefined for a cache in memory. */
  readonly redis: RedisGuard | undefined;
  close(): Promise<void>;
}
