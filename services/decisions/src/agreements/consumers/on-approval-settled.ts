import { parseId } from '@hearth/ids';
import type { ReceivedEvent } from '@hearth/runtime';
import { changeCopy } from '../actions/change-copy.ts';
import { copied } from '../actions/copied.ts';
import { endQuestions } from '../actions/errands.ts';
import type { Context } from '../context.ts';
import { findByApproval, findCopyByApproval } from '../db/agreements.ts';

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
      if (id === null && asked !== null) await answerElsewhere(context, asked, status === 'approved');
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

/** The home of the agreement is told. @param approval uuid of one that was asked for a side here */
async function answerElsewhere(context: Context, approval: string, yes: boolean): Promise<void> {
  const { clock, copies, database } = context;
  const id = await findCopyByApproval(database.db, approval);
  const [copy] = id === null ? [] : await copies.byIds([id]);
  const side = copy === undefined ? undefined : copied(copy).sides.find((one) => one.approval === approval);
  if (id === null || side === undefined || side.gone || side.box === 'refused') return;
  if (yes) await changeCopy(context, id, { kind: 'approve', ai: side.ai });
  else if (side.approvedAt === null)
    await changeCopy(context, id, { kind: 'keep', ai: side.ai }, { approval: null, noAt: clock.now() });
}
