import { expect, test } from '@jest/globals';
import { createLru } from './lru.ts';

test('keeps the most recently used entries, and reports evictions', () => {
  const forgotten: string[] = [];
  const entries = createLru<number>(3, (_, key) => forgotten.push(key));
  for (const [at, key] of ['a', 'b', 'c'].entries()) entries.set(key, at);
  entries.get('a');
  entries.set('d', 3);
  expect([...entries.keys()].sort()).toEqual(['a', 'c', 'd']);
  entries.set('c', 4);
  for (let each = 0; each < 10_000; each += 1) entries.set(`e${each}`, each);
  expect(entries.size).toBe(3);
  expect(forgotten).toHaveLength(10_002);
  expect(forgotten.slice(0, 2)).toEqual(['b', 'c']);
});
