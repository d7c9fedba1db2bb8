import { createLru } from '@hearth/cache/lru';
import type { ResponseMetadata } from '@hearth/rpc';
import type { Revision } from './topics.ts';

/** A question that a client asks again and again, each time from where the answer before ended. */
export interface Series {
  /** The question and who asks it, without where it begins. */
  question: string;
  /** Where it begins: the last message that the client saw. */
  since: string;
}

/** A series that is caught up: from `since` on there was nothing at that revision, nor is there until a topic is woken. */
export interface CaughtUp {
  since: string;
  revision: Revision;
  topics: readonly string[];
  takesCarried: boolean;
}

const maxEntries = 20_000;

/** The end of each series' last answer. A poll that goes on from there is held without being asked first. */
export function createCaughtUp() {
  const entries = createLru<CaughtUp>(maxEntries);
  return {
    of(series: Series | undefined): CaughtUp | undefined {
      const entry = series && entries.get(series.question);
      return entry?.since === series?.since ? entry : undefined;
    },
    /** @param revision the one before the reply with this metadata was asked for */
    keep(series: Series | undefined, metadata: ResponseMetadata, revision: Revision): void {
      if (series === undefined) return;
      const { caughtUpAfter, caughtUpTopics, waitTopics, takesCarried } = metadata;
      if (caughtUpAfter !== '')
        entries.set(series.question, {
          since: caughtUpAfter,
          revision,
          topics: caughtUpTopics,
          takesCarried,
        });
      else if (waitTopics.length > 0)
        entries.set(series.question, { since: series.since, revision, topics: waitTopics, takesCarried });
    },
  };
}
