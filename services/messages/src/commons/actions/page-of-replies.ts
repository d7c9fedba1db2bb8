import { cursorOf, type PageRequest, readPage } from '@hearth/paging';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { listReplies } from '../db/replies.ts';
import { toReply } from '../domain/to-proto.ts';
import type { Visible } from './find-visible.ts';

const replyCursor = cursorOf({ seq: 'number' });

/** A page of replies as the caller sees them, oldest first. */
export async function pageOfReplies(
  context: Pick<Context, 'database' | 'limits'>,
  { post, without }: Visible,
  request: PageRequest,
  { id }: Caller,
) {
  const { rows, nextCursor } = await readPage(context, request, {
    cursor: replyCursor,
    find: (after, limit) => listReplies(context.database.db, post.id, without, after?.seq ?? 0, limit),
    placeOf: ({ seq }) => ({ seq }),
  });
  return { replies: rows.map((row) => toReply(row, post, { id })), nextCursor };
}
