import type { GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import type { UnaryHandler } from '@hearth/rpc';
import { postToGroup } from '../actions/post-to-group.ts';
import type { Context } from '../context.ts';

export const postGroup =
  (context: Context): UnaryHandler<typeof GroupPostsService.method.postGroup> =>
  (request, call) =>
    postToGroup(context, request, call);
