import type { ReceivedEvent } from '@hearth/runtime';
import type { Context } from '../context.ts';
import { planTable } from '../db/plans.ts';
import { isFinal } from '../domain/plan.ts';

/** Cancels the plans of archived groups. Repeated it changes nothing. */
export const onGroupsArchived = (context: Context) => ({
  durable: 'groups-of-plans',
  types: ['group_archived'],
  async handle(received: readonly ReceivedEvent[]) {
    const groups = received.flatMap(({ event: { data } }) =>
      data.case === 'groupArchived' ? [data.value.group?.id ?? ''] : [],
    );
    for (const id of await planTable.findOpenOfGroups(context.database.db, groups))
      await context.plans.act(id, ({ row }) =>
        isFinal(row) ? null : { act: { kind: 'cancel', why: 'group_archived' } },
      );
  },
});
