import { day, hour, nowDate } from '@hearth/clock';
import { createIds } from '@hearth/ids';
import { sizeOf } from '@hearth/limits';
import { type People, shieldedTime } from '@hearth/people';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import { createIdempotency } from '@hearth/requests';
import type { Host } from '@hearth/runtime';
import { groupPostsHandlers } from './rpc/index.ts';

/** What is posted to groups. */
export function startGroupPosts(host: Host, people: People): void {
  const { clock, config, database, ids, limits, outbox, random, sealer } = host;
  const requests = createIdempotency<{ post: string }>({
    database,
    schema: 'messages',
    table: 'post_requests',
    clock,
    keptForMs: sizeOf(limits, 'request_id_days') * day,
  });
  host.serve(
    GroupPostsService,
    groupPostsHandlers({
      homeNames: { ownHome: config.home, devHomes: config.devHomes },
      clock,
      ids,
      // An id carries its moment for everybody to read.
      dayIds: createIds({ now: () => shieldedTime(nowDate(clock)).getTime() }, random),
      database,
      outbox,
      limits,
      people,
      sealer,
      requests,
      groups: host.peer('groups', GroupsService),
    }),
  );
  host.every('purge of request ids of posts', hour, () => requests.purge());
}
