import { parseId } from '@hearth/ids';
import type { ReceivedEvent } from '@hearth/runtime';
import { changeEach } from '../actions/change.ts';
import type { Context } from '../context.ts';
import { findByApproval } from '../db/agreements.ts';

/**
 * Counts the yes of an owner; a no, or no answer in time, ends the agreement. The home of one of another is told. Repeated it
 * changes nothing.
 */
export const onApprovalSettled = (context: Context) => ({
  durable: 'approvals-of-agreements',
  types: ['approval_settled'],
  async handle(received: readonly ReceivedEvent[]) {
    for (const { event } of received) {
      if (event.data.case !== 'approvalSettled' || event.data.value.kind !== 'agreement') continue;
      const { approval, status: answer } = event.data.value;
      const asked = parseId('apr', approval);
      const ids = asked === null ? [] : await findByApproval(context.database.db, asked);
      await changeEach(context, ids, ({ sides, status }) => {
        const side = sides.find((one) => one.approval === asked);
        if (side === undefined || side.gone || side.box === 'refused' || status !== 'open') return null;
        const { ai } = side;
        return answer === 'approved' ? { kind: 'approve', ai } : { kind: 'decline', ai, reason: '' };
      });
    }
  },
});
