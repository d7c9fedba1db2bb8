import { day } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import { ActivityService } from '@hearth/proto/delivery/v1/activity';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import type { Host } from '@hearth/runtime';
import { audiences } from '../events/module.ts';
import { onEvent } from './consumers/on-event.ts';
import type { Context } from './context.ts';
import { deleteActivityBefore } from './db/activity.ts';

/** Records events as activity of the people, AIs, apps and groups that they concern. */
export async function startActivity(host: Host): Promise<void> {
  const context: Context = {
    ...host,
    groups: host.peer('groups', GroupsService),
    ais: host.peer('identity', AisService),
  };
  await host.serveRpcs(ActivityService, import.meta.url, context);
  host.consume({ durable: 'activity', types: audiences.activity.types, handle: onEvent(context) });
  host.purge('purge-activity', [sizeOf(host.limits, 'activity_days') * day, deleteActivityBefore]);
}
