import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ReceivedEvent } from '@hearth/runtime';
import type { Context } from '../context.ts';
import { decisionTable } from '../db/decisions.ts';
import { isFinal } from '../domain/decision.ts';

/** Cancels the decisions of archived groups. Repeated it changes nothing, also once the group is restored. */
export const onGroupsArchived = (context: Context) => ({
  durable: 'groups',
  types: ['group_archived'],
  async handle(received: readonly ReceivedEvent[]) {
    const archived = received.flatMap(({ event: { at, data } }) =>
      data.case === 'groupArchived' && data.value.group && at
        ? { group: data.value.group.id, at: timestampDate(at) }
        : [],
    );
    for (const id of await decisionTable.findOpenOfGroups(context.database.db, archived))
      await context.decisions.act(id, ({ row }) =>
        isFinal(row) ? null : { act: { kind: 'cancel', why: 'group_archived' } },
      );
  },
});
