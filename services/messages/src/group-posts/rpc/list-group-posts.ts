import { placeCursor, readPage } from '@hearth/paging';
import type { GroupPostsService, ListGroupPostsRequest } from '@hearth/proto/messages/v1/group_posts';
import type { UnaryHandler } from '@hearth/rpc';
import { olderCursor } from '../../shared/domain/cursor.ts';
import { findElsewhere, type GroupElsewhere } from '../actions/find-elsewhere.ts';
import { groupOf } from '../actions/group-of.ts';
import { toGroupPosts } from '../actions/to-group-posts.ts';
import type { Context } from '../context.ts';
import { listGroupPosts as listRows } from '../db/group-posts.ts';

/** Posts in a remote group. */
async function listElsewhere(
  context: Context,
  { person, reference: group }: GroupElsewhere,
  request: ListGroupPostsRequest,
) {
  const by = { viewers: [person], status: null, waiting: false, group };
  const { rows, nextCursor } = await readPage(context, request, {
    cursor: placeCursor,
    find: (after, limit) => context.copies.list(by, after, limit),
    placeOf: ({ id, started_at }) => ({ at: started_at, id }),
  });
  return { messages: rows.map(({ message }) => message), nextCursor };
}

/** Posts in a group that the caller belongs to, archived or not, newest first. */
export const listGroupPosts =
  (context: Context): UnaryHandler<typeof GroupPostsService.method.listGroupPosts> =>
  async (request, call) => {
    const elsewhere = await findElsewhere(context, request.id, call.caller);
    if (elsewhere !== null) return await listElsewhere(context, elsewhere, request);
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: olderCursor,
      async find(before, limit) {
        const group = await groupOf(context, request.id, call);
        return await listRows(context.database.db, group.id, before, limit);
      },
      placeOf: ({ seq }) => seq,
    });
    return { messages: await toGroupPosts(context, rows, call.caller), nextCursor };
  };
