/** A gateway process: the topics that it watches, and how it is notified. */
export interface Watcher {
  watch(topics: readonly string[]): void;
  unwatch(topics: readonly string[]): void;
  end(): void;
}

export interface Watchers {
  /**
   * @param notify is called synchronously, once per wake, with the watcher's woken topics and the payloads
   * carried for them
   */
  add(notify: (topics: string[], carried: Carried) => void): Watcher;
  wake(topics: Iterable<string>, carried?: Carried): void;
  /** Notifies every watcher of all its topics, because wakes may have been missed. */
  wakeAll(): void;
  size(): { watchers: number; topics: number };
}

/** Payloads by topic. */
type Carried = ReadonlyMap<string, Uint8Array>;

const nothing: Carried = new Map();

/** Tracks the topics that each gateway watches. A wake costs one lookup per topic, however many are watched. */
export function createWatchers(): Watchers {
  const byTopic = new Map<string, Set<Entry>>();
  const entries = new Set<Entry>();

  interface Entry {
    topics: Set<string>;
    notify(topics: string[], carried: Carried): void;
  }

  function forget(entry: Entry, topic: string): void {
    if (!entry.topics.delete(topic)) return;
    const watching = byTopic.get(topic);
    watching?.delete(entry);
    if (watching?.size === 0) byTopic.delete(topic);
  }

  return {
    add(notify) {
      const entry: Entry = { topics: new Set(), notify };
      entries.add(entry);
      return {
        watch(topics) {
          for (const topic of topics) {
            entry.topics.add(topic);
            const watching = byTopic.get(topic);
            if (watching === undefined) byTopic.set(topic, new Set([entry]));
            else watching.add(entry);
          }
        },
        unwatch(topics) {
          for (const topic of topics) forget(entry, topic);
        },
        end() {
          for (const topic of entry.topics) forget(entry, topic);
          entries.delete(entry);
        },
      };
    },
    wake(topics, carried = nothing) {
      const woken = new Map<Entry, string[]>();
      for (const topic of topics) {
        for (const entry of byTopic.get(topic) ?? []) {
          const list = woken.get(entry);
          if (list === undefined) woken.set(entry, [topic]);
          else list.push(topic);
        }
      }
      for (const [entry, list] of woken) entry.notify(list, carried);
    },
    wakeAll() {
      for (const entry of entries) entry.notify([...entry.topics], nothing);
    },
    size: () => ({ watchers: entries.size, topics: byTopic.size }),
  };
}
