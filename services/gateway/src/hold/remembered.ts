import type { Clock } from '@hearth/clock';
import { LRUCache } from 'lru-cache';
import type { Asked } from './holds.ts';
import type { Moment, Topics } from './topics.ts';

interface Entry {
  asked: Asked<unknown>;
  moment: Moment;
  until: number;
}

const maxEntries = 20_000;

/** Answers that hold until a topic is woken or their time is up; whoever asks meanwhile is answered from here. */
export function createRemembered(topics: Topics, clock: Clock) {
  const entries = new LRUCache<string, Entry>({ max: maxEntries });
  const asking = new Map<string, Promise<Asked<unknown>>>();

  async function askAndKeep(key: string, ask: () => Promise<Asked<unknown>>): Promise<Asked<unknown>> {
    const moment = topics.now();
    const asked = await ask();
    const { validMs, validTopics } = asked.marks;
    // An answer is kept only when its topics were watched before it was asked for; looking starts the watching.
    if (validMs > 0 && topics.quietSince(moment, validTopics)) {
      entries.set(key, { asked, moment, until: clock.now() + validMs });
    }
    return asked;
  }

  return {
    remember<A>(key: string, ask: () => Promise<Asked<A>>): Promise<Asked<A>> {
      const entry = entries.get(key);
      if (entry !== undefined) {
        if (entry.until > clock.now() && topics.quietSince(entry.moment, entry.asked.marks.validTopics)) {
          return Promise.resolve(entry.asked as Asked<A>);
        }
        entries.delete(key);
      }
      const alreadyAsking = asking.get(key);
      if (alreadyAsking !== undefined) return alreadyAsking as Promise<Asked<A>>;
      const asked = askAndKeep(key, ask).finally(() => asking.delete(key));
      asking.set(key, asked);
      return asked as Promise<Asked<A>>;
    },
  };
}
