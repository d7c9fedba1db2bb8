import type { Clock } from '@hearth/clock';
import { LRUCache } from 'lru-cache';

export interface BoundedCache<Value> {
  get(key: string): Value | undefined;
  /** Keeps `value` until that moment (milliseconds since 1970), or until newer entries need its place. */
  set(key: string, value: Value, until: number): void;
  deleteWhere(matches: (value: Value) => boolean): void;
  clear(): void;
}

/** The `max` entries used last, each with a moment at which it ends. */
export function createBoundedCache<Value>(max: number, clock: Clock): BoundedCache<Value> {
  const entries = new LRUCache<string, { value: Value; until: number }>({ max });
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.until > clock.now()) return entry.value;
      entries.delete(key);
      return undefined;
    },
    set: (key, value, until) => {
      entries.set(key, { value, until });
    },
    deleteWhere(matches) {
      for (const [key, { value }] of [...entries.entries()]) {
        if (matches(value)) entries.delete(key);
      }
    },
    clear: () => entries.clear(),
  };
}
