import { listGroupPosts as listRows } from '../../db/group-posts.ts';
import { printCursor } from '../../domain/cursor.ts';
import { beforeOf } from '../list-threads.ts';
import { pageSize } from '../page-size.ts';
import type { GroupPostsContext } from './context.ts';
import { groupOf } from './group-of.ts';
import type { GroupPostsHandlers } from './index.ts';
import { toGroupPosts } from './to-group-post.ts';

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
