import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ReceivedEvent } from '@hearth/runtime';
import { changeUnsettled } from '../actions/change-approval.ts';
import type { Context } from '../context.ts';
import { findOpenOfGroup } from '../db/approvals.ts';

/**
 * Cancels the asks of archived groups, except join requests, which groups ends. Asks made after the
 * archiving, in a restored group, continue. Idempotent.
 */
export const onGroupArchived = (context: Context) => ({
  durable: 'asks-of-groups',
  types: ['group_archived'],
  async handle(received: readonly ReceivedEvent[]) {
    for (const { event } of received) {
      const { at, data } = event;
      if (data.case !== 'groupArchived' || at === undefined || !data.value.group?.id) continue;
      for (const id of await findOpenOfGroup(context.database.db, data.value.group.id, timestampDate(at)))
        await changeUnsettled(context, id, () => ({ act: { kind: 'cancel' }, by: null }));
    }
  },
});
