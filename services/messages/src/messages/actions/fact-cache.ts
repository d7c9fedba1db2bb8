import { second } from '@hearth/clock';
import type { Host } from '@hearth/runtime';
import { LRUCache } from 'lru-cache';

/** Facts kept in memory for half a minute, and forgotten at once when a signal carries their id. */
export interface FactCache<Fact> {
  /** The fact under this key, loaded where none is kept; null is not kept. */
  find(key: string, load: () => Promise<Fact | null>): Promise<Fact | null>;
}

export interface FactCacheOptions<Fact> {
  bus: Pick<Host['bus'], 'onSignal' | 'onReconnect'>;
  clock: Host['clock'];
  /** Their payload is the id of a fact, or empty for all. */
  signals: readonly string[];
  max: number;
  /** One fact may be kept under several keys. */
  idOf(fact: Fact): string;
}

const keptMs = 30 * second;

export function createFactCache<Fact extends object>(options: FactCacheOptions<Fact>): FactCache<Fact> {
  const { bus, clock, signals, max, idOf } = options;
  const keysOf = new Map<string, Set<string>>();
  const kept = new LRUCache<string, { fact: Fact; until: number }>({
    max,
    dispose({ fact }, key) {
      const keys = keysOf.get(idOf(fact));
      keys?.delete(key);
      if (keys?.size === 0) keysOf.delete(idOf(fact));
    },
  });
  /** Rises with each signal: an answer that was asked for before the signal must not be kept. */
  let generation = 0;

  function keep(key: string, fact: Fact): void {
    kept.set(key, { fact, until: clock.now() + keptMs });
    const keys = keysOf.get(idOf(fact));
    if (keys === undefined) keysOf.set(idOf(fact), new Set([key]));
    else keys.add(key);
  }

  function forget(id: string): void {
    generation += 1;
    if (id === '') kept.clear();
    else for (const key of [...(keysOf.get(id) ?? [])]) kept.delete(key);
  }

  for (const signal of signals) bus.onSignal(signal, (payload) => forget(Buffer.from(payload).toString()));
  bus.onReconnect(() => forget(''));

  return {
    async find(key, load) {
      const entry = kept.get(key);
      if (entry !== undefined && entry.until > clock.now()) return entry.fact;
      const generationBefore = generation;
      const fact = await load();
      if (fact !== null && generationBefore === generation) keep(key, fact);
      return fact;
    },
  };
}
