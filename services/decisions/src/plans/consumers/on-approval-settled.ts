import { parseId } from '@hearth/ids';
import type { ReceivedEvent } from '@hearth/runtime';
import type { Context } from '../context.ts';
import { findByApproval } from '../db/plans.ts';

/** Begins a plan that an organizer approved; ends one that was refused or expired. Idempotent. */
export const onApprovalSettled = (context: Context) => ({
  durable: 'approvals-of-plans',
  types: ['approval_settled'],
  async handle(received: readonly ReceivedEvent[]) {
    const { clock, database, things } = context;
    for (const { event } of received) {
      if (event.data.case !== 'approvalSettled' || event.data.value.kind !== 'plan') continue;
      const { approval, status, void: nothing } = event.data.value;
      const asked = parseId('apr', approval);
      const id = asked === null ? null : await findByApproval(database.db, asked);
      if (id === null) continue;
      await things.act(id, ({ row }) => {
        if (row.status !== 'asked') return null;
        if (status !== 'approved' || nothing !== '') return { act: { kind: 'cancel', why: 'declined' } };
        // The time to answer starts when the plan begins.
        const deadline = clock.now() + row.deadline_at.getTime() - row.started_at.getTime();
        return { act: { kind: 'begin', deadline } };
      });
    }
  },
});
