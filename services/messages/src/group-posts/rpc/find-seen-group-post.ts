import { isHearthError } from '@hearth/errors';
import { isUuid, printId } from '@hearth/ids';
import type { GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import { CallerKind } from '@hearth/proto/options';
import type { UnaryHandler } from '@hearth/rpc';
import { groupOf } from '../actions/group-of.ts';
import type { Context } from '../context.ts';
import { findPostAnywhere } from '../db/group-posts.ts';

/** Whether the caller can read a post, with its author (the group's AI if no person posted it). */
export const findSeenGroupPost =
  (context: Context): UnaryHandler<typeof GroupPostsService.method.findSeenGroupPost> =>
  async ({ id }, call) => {
    const { person, kind, group } = call.caller;
    if (kind === CallerKind.APP || (kind === CallerKind.AI && person === '' && group === ''))
      return { seen: false };
    if (!isUuid(id)) {
      const copy = await context.copies.find(id, person === '' ? [] : [person]);
      return copy == null ? { seen: false } : { seen: true, author: copy.message.from };
    }
    const post = await findPostAnywhere(context.database.db, id);
    if (post === null) return { seen: false };
    try {
      await groupOf(context, printId('grp', post.group), call);
    } catch (error) {
      if (isHearthError(error) && error.kind === 'not_found') return { seen: false };
      throw error;
    }
    return {
      seen: true,
      author: post.ai === null ? printId('per', post.person ?? '') : printId('ai', post.ai),
    };
  };
