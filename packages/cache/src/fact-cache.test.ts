import { manualClock } from '@hearth/clock';
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createFactCache, type FactCache } from './fact-cache.ts';

interface Fact {
  names: string[];
}

const clock = manualClock('2026-03-01T12:00:00Z');
const never = Number.POSITIVE_INFINITY;

let forgotten: string[];
let listeners: Map<string, (payload: Uint8Array) => void>;
let reconnect: () => void;
const signal = (name: string, subject = 'people') => listeners.get(subject)!(Buffer.from(name));

beforeEach(() => {
  forgotten = [];
  listeners = new Map();
});

function create(max: number, named = true, more: { keptMs?: number; byDay?: boolean } = {}): FactCache<Fact> {
  return createFactCache<Fact>({
    clock,
    max,
    keptMs: 30,
    ...more,
    signals: ['people', 'credentials'],
    bus: {
      onSignal(subject, listener) {
        listeners.set(subject, listener);
        return { stop: async () => void listeners.delete(subject) };
      },
      onReconnect(listener) {
        reconnect = () => listener({ logLost: false });
      },
    },
    ...(named && { namesOf: ({ names }: Fact) => names }),
    onForgotten: (name) => forgotten.push(name),
  });
}

const set = (cache: FactCache<Fact>, key: string, names: string[] = [], until?: number) =>
  cache.keeper()(key, { names }, until);
const kept = (cache: FactCache<Fact>, ...keys: string[]) =>
  keys.filter((key) => cache.get(key) !== undefined).join('');

describe('a cache of facts that change by day', () => {
  // A day begins then at a home in Kathmandu (UTC+5:45).
  const midnight = '2026-03-01T18:15:00Z';

  test('keeps none beyond the beginning of a day', () => {
    clock.set('2026-03-01T18:14:50Z');
    const cache = create(2, false, { keptMs: 30_000, byDay: true });
    set(cache, 'a');
    const keepLate = cache.keeper();
    clock.advance(9_999);
    expect(kept(cache, 'a')).toBe('a');
    clock.set(midnight);
    expect(kept(cache, 'a')).toBe('');
    // An answer from the day before.
    keepLate('b', { names: [] });
    expect(kept(cache, 'b')).toBe('');
    set(cache, 'c');
    clock.advance(29_999);
    expect(kept(cache, 'c')).toBe('c');
  });
});

describe('a cache of facts', () => {
  test('evicts the least recently used facts and expired facts', () => {
    const cache = create(2);
    set(cache, 'a', [], never);
    set(cache, 'b');
    cache.get('a');
    set(cache, 'c', [], clock.now() + 10);
    expect(kept(cache, 'a', 'b', 'c')).toBe('ac');
    clock.advance(10);
    expect(kept(cache, 'a', 'c')).toBe('a');
    set(cache, 'd');
    clock.advance(29);
    expect(kept(cache, 'd')).toBe('d');
    clock.advance(1);
    expect(kept(cache, 'd')).toBe('');
  });

  test('evicts by each name of a fact, according to its current names', () => {
    const cache = create(10);
    set(cache, 'a', ['robin', 'ann']);
    set(cache, 'b', ['wren', 'ann']);
    set(cache, 'c', ['wren']);
    set(cache, 'c', ['robin']);
    signal('wren');
    expect(kept(cache, 'a', 'b', 'c')).toBe('ac');
    signal('ann', 'credentials');
    cache.forget('no one');
    expect(kept(cache, 'a', 'c')).toBe('c');
    expect(forgotten).toEqual(['wren', 'ann', 'no one']);
  });

  test('evicts by key where facts have no names, and clears itself when signals may have been missed', () => {
    const cache = create(10, false);
    for (const key of ['a', 'b', 'c']) set(cache, key);
    signal('a');
    expect(kept(cache, 'a', 'b', 'c')).toBe('bc');
    reconnect();
    expect(kept(cache, 'b', 'c')).toBe('');
    set(cache, 'b');
    signal('');
    expect(kept(cache, 'b')).toBe('');
  });

  test('loads missing facts, and caches no null, no failure, and no answer from before a signal', async () => {
    const cache = create(10);
    let loads = 0;
    const find = (answer: () => Promise<Fact | null>) =>
      cache.find('a', () => {
        loads += 1;
        return answer();
      });
    await expect(find(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await find(async () => null)).toBeNull();
    const late = Promise.withResolvers<Fact>();
    const first = find(() => late.promise);
    signal('another');
    late.resolve({ names: [] });
    expect(await first).toEqual({ names: [] });
    const fact = { names: [] };
    for (let turn = 0; turn < 3; turn += 1) expect(await find(async () => fact)).toBe(fact);
    expect(loads).toBe(4);
  });

  test('ignores signals after it was stopped', async () => {
    const cache = create(10);
    await cache.stop();
    expect(listeners.size).toBe(0);
  });

  test('holds no more than a plain map would after any sequence of uses, and no evicted fact', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const name = fc.constantFrom('x', 'y', 'z');
    const step = fc.oneof(
      fc.record({ ask: key, names: fc.uniqueArray(name) }),
      fc.record({ answer: fc.nat(5) }),
      fc.record({ forget: fc.oneof(name, fc.constant('')) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const cache = create(3);
        const model = new Map<string, string[]>();
        let open: { at: string; names: string[]; keep: ReturnType<typeof cache.keeper>; stale: boolean }[] =
          [];
        for (const one of steps) {
          if ('ask' in one) open.push({ at: one.ask, names: one.names, keep: cache.keeper(), stale: false });
          else if ('answer' in one) {
            const [asked] = open.splice(one.answer, 1);
            asked?.keep(asked.at, { names: asked.names }, never);
            if (asked?.stale === false) model.set(asked.at, asked.names);
          } else {
            cache.forget(one.forget);
            for (const [at, names] of model)
              if (one.forget === '' || names.includes(one.forget)) model.delete(at);
            open = open.map((asked) => ({ ...asked, stale: true }));
          }
          for (const at of ['a', 'b', 'c', 'd', 'e']) {
            const found = cache.get(at);
            if (found !== undefined) expect(found.names).toBe(model.get(at));
          }
        }
      }),
    );
  });

  test('evicts by name quickly among many facts', () => {
    const cache = create(20_000);
    for (let index = 0; index < 20_000; index += 1) set(cache, `${index}`, [`ai ${index}`], never);
    const began = process.cpuUsage();
    for (let index = 0; index < 1_000; index += 1) cache.forget(`ai ${index}`);
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(500);
    expect(kept(cache, '999', '1000')).toBe('1000');
  });
});
