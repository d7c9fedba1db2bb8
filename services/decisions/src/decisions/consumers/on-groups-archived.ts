import type { ReceivedEvent } from '@hearth/runtime';
import type { Context } from '../context.ts';
import { decisionTable } from '../db/decisions.ts';
import { isFinal } from '../domain/decision.ts';

/** Cancels the decisions of archived groups. Repeated it changes nothing. */
export const onGroupsArchived = (context: Context) => ({
  durable: 'groups',
  types: ['group_archived'],
  async handle(received: readonly ReceivedEvent[]) {
    const groups = received.flatMap(({ event: { data } }) =>
      data.case === 'groupArchived' ? [data.value.group?.id ?? ''] : [],
    );
    for (const id of await decisionTable.findOpenOfGroups(context.database.db, groups))
      await context.decisions.act(id, ({ row }) =>
        isFinal(row) ? null : { act: { kind: 'cancel', why: 'group_archived' } },
      );
  },
});
