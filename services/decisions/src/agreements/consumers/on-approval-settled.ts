import { parseId } from '@hearth/ids';
import type { ReceivedEvent } from '@hearth/runtime';
import { endQuestions } from '../actions/errands.ts';
import type { Context } from '../context.ts';
import { findByApproval } from '../db/agreements.ts';

/** Counts the yes of an owner; a no, or no answer in time, ends the agreement. Repeated it changes nothing. */
export const onApprovalSettled = (context: Context) => ({
  durable: 'approvals-of-agreements',
  types: ['approval_settled'],
  async handle(received: readonly ReceivedEvent[]) {
    const { agreements, database, signing } = context;
    for (const { event } of received) {
      if (event.data.case !== 'approvalSettled' || event.data.value.kind !== 'agreement') continue;
      const { approval, status } = event.data.value;
      const asked = parseId('apr', approval);
      const id = asked === null ? null : await findByApproval(database.db, asked);
      if (id === null) continue;
      const { state } = await agreements.act(id, ({ sides, status: present }) => {
        const side = sides.find((one) => one.approval === asked);
        if (side === undefined || side.gone || side.box === 'refused' || present !== 'open') return null;
        const { ai } = side;
        return { act: status === 'approved' ? { kind: 'approve', ai } : { kind: 'decline', ai, reason: '' } };
      });
      await endQuestions(context, state);
      await signing.now(state);
    }
  },
});
