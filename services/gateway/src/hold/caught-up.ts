import { createLru } from '@hearth/cache/lru';
import type { ResponseMetadata } from '@hearth/rpc';
import type { Revision } from './topics.ts';

/** A poll that a client repeats, each time from the end of the previous answer. */
export interface Series {
  /** The question and its caller, without the start. */
  question: string;
  /** The start: the last message that the client saw. */
  since: string;
}

/** A caught-up series: there was nothing after `since` at that revision, and there won't be until a topic wakes. */
export interface CaughtUp {
  since: string;
  revision: Revision;
  topics: readonly string[];
  takesCarried: boolean;
}

const maxEntries = 20_000;

/** The end of each series' last answer. A poll that continues from there is held without asking the service first. */
export function createCaughtUp() {
  const entries = createLru<CaughtUp>(maxEntries);
  return {
    of(series: Series | undefined): CaughtUp | undefined {
      const entry = series && entries.get(series.question);
      return entry?.since === series?.since ? entry : undefined;
    },
    /** @param revision the revision before the reply with this metadata was requested */
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
