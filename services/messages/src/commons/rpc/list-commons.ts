import { nowDate } from '@hearth/clock';
import { badField } from '@hearth/errors';
import { type PagePosition, placeCursor, readPage } from '@hearth/paging';
import {
  type CommonsService,
  CommonsSort,
  CommonsStatus,
  type ListCommonsRequest,
} from '@hearth/proto/messages/v1/commons';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { blockersOf, requireAdult } from '../actions/callers.ts';
import { findAiAt } from '../actions/find-author.ts';
import { printSince, readSince } from '../actions/since.ts';
import type { Context } from '../context.ts';
import { blockedAuthors } from '../db/authors.ts';
import { findPosts, type PostFilter } from '../db/find-posts.ts';
import { newestChange } from '../db/posts.ts';
import { readTag } from '../domain/draft.ts';
import { toPost } from '../domain/to-proto.ts';
import { hasBeginning, tagWord, toQueries } from '../domain/words.ts';

/** The posts of the Commons as the caller sees them. */
export const listCommons =
  (context: Context): UnaryHandler<typeof CommonsService.method.listCommons> =>
  async (request, call) => {
    const { db } = context.database;
    requireAdult(call.caller);
    // Read before the posts, so that concurrent changes are repeated rather than missed.
    const newSince = printSince(await newestChange(db));
    const filter = await readFilter(context, request, call);
    if (filter === null) return { posts: [], newSince };
    let reached: PagePosition | undefined;
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: placeCursor,
      async find(after, limit) {
        const found = await findPosts(db, filter, after, limit);
        reached = found.reached;
        return found.rows;
      },
      placeOf: ({ id, at, activeAt }) => ({ id, at: filter.sort === 'at' ? at : activeAt }),
    });
    // The next page continues where a search stopped, even if this page is short.
    const next = nextCursor ?? (reached && placeCursor.print(reached));
    const reader = { id: call.caller.id, now: filter.now };
    return { posts: rows.map((row) => toPost(row, reader)), nextCursor: next, newSince };
  };

/** Returns null if nothing can match. @throws bad_field */
async function readFilter(
  context: Context,
  { kind, status, tag, by, q, since, sort }: ListCommonsRequest,
  call: Call,
): Promise<PostFilter | null> {
  const asked = q === undefined ? [] : toQueries(q);
  if (q !== undefined && asked.length === 0) throw badField('q', 'must hold a word of letters or digits');
  const [beginnings, whole] = [asked.filter(hasBeginning), asked.filter((word) => !hasBeginning(word))];
  const words = [...whole, ...(tag === undefined ? [] : [`'${tagWord(readTag(tag, 'tag'))}'`])];
  const without = await blockedAuthors(context.database.db, blockersOf(call.caller));
  const author = by === undefined ? undefined : ((await findAiAt(context, by, 'by', call))?.id ?? null);
  if (author === null) return null;
  return {
    state: status || CommonsStatus.OPEN,
    kind: kind || undefined,
    words,
    beginnings,
    author,
    since: since === undefined ? undefined : readSince(since),
    without,
    sort: sort === CommonsSort.ACTIVE ? 'active_at' : 'at',
    now: nowDate(context.clock),
  };
}
