import { LRUCache } from 'lru-cache';

export type Lru<Value extends NonNullable<unknown>> = LRUCache<string, Value>;

/**
 * An LRU cache that grows as it fills. The library's own `max` allocates every slot at creation, about ten megabytes in
 * a home.
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
