import type { GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import type { Handlers } from '@hearth/rpc';
import type { GroupPostsContext } from '../context.ts';
import { listGroupPosts } from './list-group-posts.ts';
import { postGroup } from './post-group.ts';

export type GroupPostsHandlers = Handlers<typeof GroupPostsService>;

export function groupPostsHandlers(context: GroupPostsContext): GroupPostsHandlers {
  return {
    postGroup: postGroup(context),
    listGroupPosts: listGroupPosts(context),
  };
}
