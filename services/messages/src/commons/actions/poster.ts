import { day } from '@hearth/clock';
import { createCoalescer } from '@hearth/coalesce';
import { sizeOf } from '@hearth/limits';
import type { Host } from '@hearth/runtime';
import { insertPosts, type NewPost } from '../db/insert-posts.ts';

/** Writes posts; those that arrive while a statement is in flight share the next one. */
export interface Poster {
  /** Returns false if the request_id was used before. */
  write(post: NewPost): Promise<boolean>;
}

export function createPoster({ clock, commit, limits }: Pick<Host, 'clock' | 'commit' | 'limits'>): Poster {
  const keptMs = sizeOf(limits, 'request_id_days') * day;
  const writes = createCoalescer<NewPost, boolean>({
    maxInFlight: 1,
    spacingMs: 2,
    splitOnError: true,
    name: 'batch of posts',
    run: async (batch) => {
      const written = await commit.statement(async (tx) => {
        const ids = await insertPosts(tx, batch, new Date(clock.now() - keptMs));
        tx.announced(batch.flatMap(({ row, event }) => (ids.has(row.id) ? [event] : [])));
        return ids;
      });
      return batch.map(({ row }) => written.has(row.id));
    },
  });
  return { write: (post) => writes.add(post) };
}
