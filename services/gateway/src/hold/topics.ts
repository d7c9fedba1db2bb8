import { fromBinary } from '@bufbuild/protobuf';
import { type Carried, CarriedSchema } from '@hearth/proto/delivery/v1/delivery';
import { createDeliveryLink, type Deps } from './delivery-link.ts';

/** Increments with each wake that this process receives. */
export type Revision = number;

export interface Topics {
  /** The current revision; read it before asking an operation. */
  now(): Revision;
  /**
   * Whether these topics were watched at `revision` and none woke since: an answer requested at `revision` is
   * then still current.
   */
  unchangedSince(revision: Revision, topics: readonly string[]): boolean;
  /** Resolves when all of them are watched; they stay watched for a while after their last use. */
  watched(topics: readonly string[]): Promise<void>;
  /**
   * Calls `wake` at the next wake of any of them, or when wakes may have been missed. Returns a function that
   * stops this.
   */
  onWake(topics: readonly string[], wake: Waker): () => void;
  close(): void;
}

/** @param carried what the wake carries, if anything */
export type Waker = (carried?: Carried) => void;

interface Topic {
  /** Undefined until delivery confirms the watch. */
  watchedAt: Revision | undefined;
  wokenAt: Revision;
  lastUsedAt: number;
  wakers: Set<Waker>;
  waiting: (() => void)[];
}

/** Long enough for a client that polls again to find its topic still watched. */
const lingerMs = 60_000;
const sweepEveryMs = 15_000;

/** The topics that this gateway watches with delivery, for held requests and remembered answers. */
export function createTopics(options: Pick<Deps, 'delivery' | 'clock' | 'log'>): Topics {
  const { clock } = options;
  const topics = new Map<string, Topic>();
  let revision: Revision = 0;

  const link = createDeliveryLink({
    ...options,
    topics: () => topics.keys(),
    onWatched(names) {
      for (const name of names) {
        const topic = topics.get(name);
        if (topic === undefined || topic.watchedAt !== undefined) continue;
        revision += 1;
        topic.watchedAt = revision;
        for (const resolve of topic.waiting.splice(0)) resolve();
        // Held through a broken stream: a wake may have been missed.
        wake(topic);
      }
    },
    onWoken(names, carried) {
      revision += 1;
      for (const name of names) {
        const topic = topics.get(name);
        if (topic !== undefined) wake(topic, carried[name]);
      }
    },
    onLost() {
      for (const topic of topics.values()) topic.watchedAt = undefined;
    },
  });

  function wake(topic: Topic, bytes?: Uint8Array): void {
    topic.wokenAt = revision;
    if (topic.wakers.size === 0) return;
    const carried = bytes && fromBinary(CarriedSchema, bytes);
    for (const waker of [...topic.wakers]) waker(carried);
  }

  function use(name: string): Topic {
    let topic = topics.get(name);
    if (topic === undefined) {
      topic = { watchedAt: undefined, wokenAt: 0, lastUsedAt: 0, wakers: new Set(), waiting: [] };
      topics.set(name, topic);
      link.watch(name);
    }
    topic.lastUsedAt = clock.now();
    return topic;
  }

  const sweep = setInterval(() => {
    const oldest = clock.now() - lingerMs;
    for (const [name, topic] of topics) {
      if (topic.lastUsedAt > oldest || topic.wakers.size > 0 || topic.waiting.length > 0) continue;
      topics.delete(name);
      link.unwatch(name);
    }
  }, sweepEveryMs);
  sweep.unref();

  return {
    now: () => revision,
    unchangedSince: (since, names) =>
      names.every((name) => {
        const topic = use(name);
        return topic.watchedAt !== undefined && topic.watchedAt <= since && topic.wokenAt <= since;
      }),
    async watched(names) {
      await Promise.all(
        names.map((name) => {
          const topic = use(name);
          if (topic.watchedAt !== undefined) return undefined;
          return new Promise<void>((resolve) => topic.waiting.push(resolve));
        }),
      );
    },
    onWake(names, waker) {
      const used = names.map(use);
      for (const topic of used) topic.wakers.add(waker);
      return () => {
        for (const topic of used) topic.wakers.delete(waker);
      };
    },
    close() {
      clearInterval(sweep);
      link.close();
    },
  };
}
