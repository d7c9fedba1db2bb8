import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createBoundedCache } from './bounded-cache.ts';

interface Value {
  names: string[];
}

let now = 0;
const clock = { now: () => now };
const create = (max: number) => createBoundedCache<Value>(max, clock, ({ names }) => names);
const never = Number.POSITIVE_INFINITY;

describe('a bounded cache', () => {
  test('forgets what was used longest ago, and what has ended', () => {
    const cache = create(2);
    cache.set('a', { names: [] }, never);
    cache.set('b', { names: [] }, now + 10);
    cache.get('a');
    cache.set('c', { names: [] }, never);
    expect([cache.get('a'), cache.get('b'), cache.get('c')].map(Boolean)).toEqual([true, false, true]);
    cache.set('d', { names: [] }, now + 10);
    now += 10;
    expect(cache.get('d')).toBeUndefined();
  });

  test('deletes by each name of a value, and goes by the names of the present one', () => {
    const cache = create(10);
    cache.set('a', { names: ['robin', 'ann'] }, never);
    cache.set('b', { names: ['wren', 'ann'] }, never);
    cache.set('c', { names: ['wren'] }, never);
    cache.set('c', { names: ['robin'] }, never);
    cache.deleteNamed('wren');
    expect([cache.get('a'), cache.get('b'), cache.get('c')].map(Boolean)).toEqual([true, false, true]);
    cache.deleteNamed('ann');
    cache.deleteNamed('nobody');
    expect([cache.get('a'), cache.get('c')].map(Boolean)).toEqual([false, true]);
  });

  test('after any uses holds what a plain map would, or less, and nothing that was deleted', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const name = fc.constantFrom('x', 'y', 'z');
    const step = fc.oneof(
      fc.tuple(fc.constant('set' as const), key, fc.uniqueArray(name)),
      fc.tuple(fc.constant('delete' as const), name),
      fc.tuple(fc.constant('clear' as const)),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const cache = create(3);
        const model = new Map<string, string[]>();
        for (const [what, ...rest] of steps) {
          if (what === 'set') {
            const [at, names] = rest as [string, string[]];
            cache.set(at, { names }, never);
            model.set(at, names);
          } else if (what === 'delete') {
            const [deleted] = rest as [string];
            cache.deleteNamed(deleted);
            for (const [at, names] of model) if (names.includes(deleted)) model.delete(at);
          } else {
            cache.clear();
            model.clear();
          }
          for (const at of ['a', 'b', 'c', 'd', 'e']) {
            const found = cache.get(at);
            if (found !== undefined) expect(found.names).toBe(model.get(at));
          }
        }
      }),
    );
  });

  test('deleting by name takes no longer among many', () => {
    const cache = create(20_000);
    for (let index = 0; index < 20_000; index += 1) cache.set(`${index}`, { names: [`ai ${index}`] }, never);
    const began = performance.now();
    for (let index = 0; index < 1_000; index += 1) cache.deleteNamed(`ai ${index}`);
    expect(performance.now() - began).toBeLessThan(500);
    expect(cache.get('999')).toBeUndefined();
    expect(cache.get('1000')).toBeDefined();
  });
});
