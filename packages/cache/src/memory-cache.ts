import { type Clock, second } from '@hearth/clock';
import type { Cache } from './cache.ts';
import { createLru } from './lru.ts';

export interface MemoryCacheOptions {
  clock: Clock;
  /** The least recently used entries beyond this number are evicted. */
  maxEntries: number;
}

/** The cache of a one-process home. */
export function createMemoryCache({ clock, maxEntries }: MemoryCacheOptions): Cache {
  const entries = createLru<{ value: string; until: number }>(maxEntries);
  return {
    async get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      if (entry.until > clock.now()) return entry.value;
      entries.delete(key);
      return null;
    },
    async set(key, value, ttlSeconds) {
      entries.set(key, { value, until: clock.now() + ttlSeconds * second });
    },
    async delete(key) {
      entries.delete(key);
    },
    health: () => ({ ok: true }),
    redis: undefined,
    async close() {
      entries.clear();
    },
  };
}
