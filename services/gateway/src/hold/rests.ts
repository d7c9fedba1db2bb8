import type { ResponseMetadata } from '@hearth/rpc';
import { LRUCache } from 'lru-cache';
import type { Moment } from './topics.ts';

/** A question that a client asks again and again, each time from where the answer before ended. */
export interface Series {
  /** The question and who asks it, without where it begins. */
  question: string;
  /** Where it begins: the last message that the client saw. */
  since: string;
}

/** What is known of a series: from `since` on there was nothing at that moment, and is nothing until a topic is woken. */
export interface Rest {
  since: string;
  moment: Moment;
  topics: readonly string[];
}

const maxRests = 20_000;

/** For each series, up to where it was answered last. A poll that goes on from there need not be asked before it is held. */
export function createRests() {
  const rests = new LRUCache<string, Rest>({ max: maxRests });
  return {
    of(series: Series | undefined): Rest | undefined {
      const rest = series && rests.get(series.question);
      return rest?.since === series?.since ? rest : undefined;
    },
    /** @param moment the one before the answer with these marks was asked for */
    keep(series: Series | undefined, marks: ResponseMetadata, moment: Moment): void {
      if (series === undefined) return;
      const { restAfter, restTopics, waitTopics } = marks;
      if (restAfter !== '') rests.set(series.question, { since: restAfter, moment, topics: restTopics });
      else if (waitTopics.length > 0)
        rests.set(series.question, { since: series.since, moment, topics: waitTopics });
    },
  };
}
