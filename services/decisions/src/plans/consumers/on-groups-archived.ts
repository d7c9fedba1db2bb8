import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ReceivedEvent } from '@hearth/runtime';
import type { Context } from '../context.ts';
import { planTable } from '../db/plans.ts';
import { isFinal } from '../domain/plan.ts';

/** Cancels the plans of archived groups. Repeated it changes nothing, also once the group is restored. */
export const onGroupsArchived = (context: Context) => ({
  durable: 'groups-of-plans',
  types: ['group_archived'],
  async handle(received: readonly ReceivedEvent[]) {
    const archived = received.flatMap(({ event: { at, data } }) =>
      data.case === 'groupArchived' && data.value.group && at
        ? { group: data.value.group.id, at: timestampDate(at) }
        : [],
    );
    for (const id of await planTable.findOpenOfGroups(context.database.db, archived))
      await context.plans.act(id, ({ row }) =>
        isFinal(row) ? null : { act: { kind: 'cancel', why: 'group_archived' } },
      );
  },
});
