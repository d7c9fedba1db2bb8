import type { Clock } from '@hearth/clock';
import { LRUCache } from 'lru-cache';

export interface BoundedCache<Value> {
  get(key: string): Value | undefined;
  /** Keeps `value` until that moment (milliseconds since 1970), or until newer entries need its place. */
  set(key: string, value: Value, until: number): void;
  /** Deletes every entry whose value bears this name, without looking at the others. */
  deleteNamed(name: string): void;
  clear(): void;
}

/**
 * The `max` entries used last, each with a moment at which it ends.
 *
 * @param namesOf the names by which a value is deleted
 */
export function createBoundedCache<Value>(
  max: number,
  clock: Clock,
  namesOf: (value: Value) => readonly string[] = () => [],
): BoundedCache<Value> {
  const keysOf = new Map<string, Set<string>>();
  const entries = new LRUCache<string, { value: Value; until: number }>({
    max,
    dispose: ({ value }, key) => unindex(key, value),
  });

  function unindex(key: string, value: Value): void {
    for (const name of namesOf(value)) {
      const keys = keysOf.get(name);
      keys?.delete(key);
      if (keys?.size === 0) keysOf.delete(name);
    }
  }

  function index(key: string, value: Value): void {
    for (const name of namesOf(value)) {
      const keys = keysOf.get(name);
      if (keys === undefined) keysOf.set(name, new Set([key]));
      else keys.add(key);
    }
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.until > clock.now()) return entry.value;
      entries.delete(key);
      return undefined;
    },
    set(key, value, until) {
      // Whatever stood there before is disposed of within this call, so it is indexed after it.
      entries.set(key, { value, until });
      index(key, value);
    },
    deleteNamed(name) {
      for (const key of [...(keysOf.get(name) ?? [])]) entries.delete(key);
    },
    clear: () => entries.clear(),
  };
}
