import { LRUCache } from 'lru-cache';

export type Lru<Value extends NonNullable<unknown>> = LRUCache<string, Value>;

/**
 * The entries used last, at most so many. They take room as they come: with the library's own `max` each cache takes the
 * room of all of them at the start, ten megabytes in a home.
 */
export function createLru<Value extends NonNullable<unknown>>(
  most: number,
  dispose?: (value: Value, key: string) => void,
): Lru<Value> {
  return new LRUCache<string, Value>({
    maxSize: most,
    sizeCalculation: () => 1,
    ...(dispose !== undefined && { dispose }),
  });
}
