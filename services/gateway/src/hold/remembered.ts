import { createLru } from '@hearth/cache/lru';
import type { Clock } from '@hearth/clock';
import type { Reply } from './holds.ts';
import type { Revision, Topics } from './topics.ts';

interface Entry {
  reply: Reply<unknown>;
  revision: Revision;
  until: number;
}

const maxEntries = 20_000;

/** A cache of replies that are valid until a topic wakes or their time is up. */
export function createRemembered(topics: Topics, clock: Clock) {
  const entries = createLru<Entry>(maxEntries);
  const asking = new Map<string, Promise<Reply<unknown>>>();

  async function askAndKeep(key: string, ask: () => Promise<Reply<unknown>>): Promise<Reply<unknown>> {
    const revision = topics.now();
    const reply = await ask();
    const { validMs, validTopics } = reply.metadata;
    // Cached only if its topics were watched before it was requested; checking starts the watch.
    if (validMs > 0 && topics.unchangedSince(revision, validTopics)) {
      entries.set(key, { reply, revision, until: clock.now() + validMs });
    }
    return reply;
  }

  return {
    remember<A>(key: string, ask: () => Promise<Reply<A>>): Promise<Reply<A>> {
      const entry = entries.get(key);
      if (entry !== undefined) {
        if (
          entry.until > clock.now() &&
          topics.unchangedSince(entry.revision, entry.reply.metadata.validTopics)
        ) {
          return Promise.resolve(entry.reply as Reply<A>);
        }
        entries.delete(key);
      }
      const alreadyAsking = asking.get(key);
      if (alreadyAsking !== undefined) return alreadyAsking as Promise<Reply<A>>;
      const reply = askAndKeep(key, ask).finally(() => asking.delete(key));
      asking.set(key, reply);
      return reply as Promise<Reply<A>>;
    },
  };
}
