import type { Bus, Subscription } from '@hearth/bus';
import type { Clock } from '@hearth/clock';
import { createLru } from './lru.ts';

/** Facts of others in this process: the ones used last, each until its end, forgotten when a signal says that they changed. */
export interface FactCache<Fact> extends Subscription {
  /** Undefined where none is kept. */
  get(key: string): Fact | undefined;
  /**
   * For before a question: the function keeps its answer, unless something was forgotten since it was asked.
   *
   * @returns keeps a fact for `keptMs`, or until the moment that is given (milliseconds since 1970)
   */
  keeper(): (key: string, fact: Fact, until?: number) => void;
  /** The fact under this key, loaded where none is kept; null is not kept. */
  find(key: string, load: () => Promise<Fact | null>): Promise<Fact | null>;
  /** Forgets every fact of this name, or all for an empty one. */
  forget(name: string): void;
}

export interface FactCacheOptions<Fact> {
  clock: Clock;
  max: number;
  keptMs: number;
  /** Without it facts are forgotten by `forget` alone. */
  bus?: Pick<Bus, 'onSignal' | 'onReconnect'>;
  /** Their payload is the name of what changed, or empty for all (default: none). */
  signals?: readonly string[];
  /** The names by which a fact is forgotten; without it, its key. */
  namesOf?: (fact: Fact) => readonly string[];
  /** Called with each name that was forgotten, or empty for all. */
  onForgotten?: (name: string) => void;
}

export function createFactCache<Fact>(options: FactCacheOptions<Fact>): FactCache<Fact> {
  const { clock, max, keptMs, bus, signals = [], namesOf, onForgotten } = options;
  const keysOf = new Map<string, Set<string>>();
  const entries = createLru<{ fact: Fact; until: number }>(
    max,
    namesOf && (({ fact }, key) => unindex(namesOf(fact), key)),
  );
  /** Rises when anything is forgotten: an answer that was asked for before must not be kept. */
  let generation = 0;

  function unindex(names: readonly string[], key: string): void {
    for (const name of names) {
      const keys = keysOf.get(name);
      keys?.delete(key);
      if (keys?.size === 0) keysOf.delete(name);
    }
  }

  function keep(key: string, fact: Fact, until: number): void {
    // Whatever stood there before is disposed of within this call, so it is indexed after it.
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
  // Signals of the time without a connection were missed.
  bus?.onReconnect(() => forget(''));

  function get(key: string): Fact | undefined {
    const entry = entries.get(key);
    if (entry === undefined || entry.until > clock.now()) return entry?.fact;
    entries.delete(key);
    return undefined;
  }

  function keeper(): ReturnType<FactCache<Fact>['keeper']> {
    const asked = generation;
    return (key, fact, until = clock.now() + keptMs) => {
      if (asked === generation) keep(key, fact, until);
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
