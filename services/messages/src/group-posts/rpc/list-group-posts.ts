import { readPage } from '@hearth/paging';
import type { GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import type { UnaryHandler } from '@hearth/rpc';
import { olderCursor } from '../../shared/domain/cursor.ts';
import { groupOf } from '../actions/group-of.ts';
import { toGroupPosts } from '../actions/to-group-posts.ts';
import type { Context } from '../context.ts';
import { listGroupPosts as listRows } from '../db/group-posts.ts';

/** The posts of a group of the caller's, newest first; also when it is archived. */
export const listGroupPosts =
  (context: Context): UnaryHandler<typeof GroupPostsService.method.listGroupPosts> =>
  async (request, call) => {
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
