import type { Bus, Subscription } from '@hearth/bus';
import { type Clock, nextQuarterHour } from '@hearth/clock';
import { createLru } from './lru.ts';

/**
 * Answers of other services cached in this process: least recently used are evicted, each expires, and a signal
 * invalidates what changed.
 */
export interface FactCache<Fact> extends Subscription {
  /** Undefined on a miss. */
  get(key: string): Fact | undefined;
  /**
   * Call before asking a service: the returned function caches the answer, unless something was invalidated in the
   * meantime.
   *
   * @returns caches a fact for `keptMs`, or until the given moment (milliseconds since 1970)
   */
  keeper(): (key: string, fact: Fact, until?: number) => void;
  /** The cached fact, or else the loaded one; null is not cached. */
  find(key: string, load: () => Promise<Fact | null>): Promise<Fact | null>;
  /** Invalidates the facts of this name, or all facts for an empty name. */
  forget(name: string): void;
}

export interface FactCacheOptions<Fact> {
  clock: Clock;
  max: number;
  keptMs: number;
  /** Whether facts change when a day begins, like ages: none is kept beyond one, in any time zone (default: false). */
  byDay?: boolean;
  /** Without a bus, only `forget` invalidates. */
  bus?: Pick<Bus, 'onSignal' | 'onReconnect'>;
  /** Signals whose payload is the name of what changed, or empty for everything (default: none). */
  signals?: readonly string[];
  /** The names that invalidate a fact (default: its key). */
  namesOf?: (fact: Fact) => readonly string[];
  /** Called with each invalidated name, or empty for all. */
  onForgotten?: (name: string) => void;
}

export function createFactCache<Fact>(options: FactCacheOptions<Fact>): FactCache<Fact> {
  const { clock, max, keptMs, byDay = false, bus, signals = [], namesOf, onForgotten } = options;
  const keysOf = new Map<string, Set<string>>();
  const entries = createLru<{ fact: Fact; until: number }>(
    max,
    namesOf && (({ fact }, key) => unindex(namesOf(fact), key)),
  );
  /** Increments with every invalidation, so that an answer requested before one is not cached. */
  let generation = 0;

  function unindex(names: readonly string[], key: string): void {
    for (const name of names) {
      const keys = keysOf.get(name);
      keys?.delete(key);
      if (keys?.size === 0) keysOf.delete(name);
    }
  }

  function keep(key: string, fact: Fact, until: number): void {
    // Setting an entry disposes of its predecessor synchronously, so index it afterwards.
    entries.set(key, { fact, until });
    for (const name of namesOf?.(fact) ?? []) {
      const keys = keysOf.get(name);
      if (keys === undefined) keysOf.set(name, new Set([key]));
      else keys.add(key);
    }
  }

  function forget(name: string): void {
    generation += 1;
    if (name === '') entries.clear();
    else if (namesOf === undefined) entries.delete(name);
    else for (const key of [...(keysOf.get(name) ?? [])]) entries.delete(key);
    onForgotten?.(name);
  }

  const subscriptions = signals.map((signal) =>
    bus?.onSignal(signal, (payload) => forget(Buffer.from(payload).toString())),
  );
  // Signals sent while disconnected were missed.
  bus?.onReconnect(() => forget(''));

  function get(key: string): Fact | undefined {
    const entry = entries.get(key);
    if (entry === undefined || entry.until > clock.now()) return entry?.fact;
    entries.delete(key);
    return undefined;
  }

  function keeper(): ReturnType<FactCache<Fact>['keeper']> {
    const asked = generation;
    const latest = byDay ? nextQuarterHour(clock.now()) : Number.POSITIVE_INFINITY;
    return (key, fact, until = clock.now() + keptMs) => {
      if (asked === generation) keep(key, fact, Math.min(until, latest));
    };
  }

  return {
    get,
    keeper,
    async find(key, load) {
      const kept = get(key);
      if (kept !== undefined) return kept;
      const keepAnswer = keeper();
      const fact = await load();
      if (fact !== null) keepAnswer(key, fact);
      return fact;
    },
    forget,
    async stop() {
      await Promise.all(subscriptions.map((subscription) => subscription?.stop()));
    },
  };
}
