import { nowDate } from '@hearth/clock';
import type { HomeThings } from '@hearth/home-acts';
import { createIds } from '@hearth/ids';
import { shieldedTime } from '@hearth/people';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import type { Host } from '@hearth/runtime';
import { createHomePosts } from './actions/home-posts.ts';
import type { Context } from './context.ts';

/** Posts to groups. */
export async function startGroupPosts(host: Host, things: HomeThings): Promise<void> {
  const { clock, random } = host;
  const parts = {
    ...host,
    // An id reveals its time to every reader.
    dayIds: createIds({ now: () => shieldedTime(nowDate(clock)).getTime() }, random),
    idempotency: host.idempotency<{ post: string }>('post_requests'),
    groups: host.peer('groups', GroupsService),
  };
  const context: Context = { ...parts, copies: createHomePosts(parts, things) };
  await host.serveRpcs(GroupPostsService, import.meta.url, context);
}
