import { nowDate } from '@hearth/clock';
import { createIds } from '@hearth/ids';
import { shieldedTime } from '@hearth/people';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import type { Host } from '@hearth/runtime';
import type { Context } from './context.ts';

/** Posts to groups. */
export async function startGroupPosts(host: Host): Promise<void> {
  const { clock, random } = host;
  const context: Context = {
    ...host,
    // Every reader of an id can read its time.
    dayIds: createIds({ now: () => shieldedTime(nowDate(clock)).getTime() }, random),
    idempotency: host.idempotency('post_requests'),
    groups: host.peer('groups', GroupsService),
  };
  await host.serveRpcs(GroupPostsService, import.meta.url, context);
}
