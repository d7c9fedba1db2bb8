import { beforeOf } from '../../messages/rpc/list-threads.ts';
import { printCursor } from '../../shared/domain/cursor.ts';
import { pageSize } from '../../shared/domain/page-size.ts';
import { groupOf } from '../actions/group-of.ts';
import { toGroupPosts } from '../actions/to-group-posts.ts';
import type { GroupPostsContext } from '../context.ts';
import { listGroupPosts as listRows } from '../db/group-posts.ts';
import type { GroupPostsHandlers } from './index.ts';

/** What was posted to a group of the caller's, newest first; also when it is archived. */
export function listGroupPosts(context: GroupPostsContext): GroupPostsHandlers['listGroupPosts'] {
  return async (request, call) => {
    const before = beforeOf(request.cursor);
    const group = await groupOf(context, request.id, call);
    const limit = pageSize(context, request.limit ?? 0);
    const rows = await listRows(context.database.db, group.id, before, limit + 1);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const more = rows.length > limit && last !== undefined;
    return {
      messages: await toGroupPosts(context, shown, call.caller),
      nextCursor: more ? printCursor({ direction: 'before', seq: last.seq }) : undefined,
    };
  };
}
