import { badRequest, forbidden, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { UnaryHandler } from '@hearth/rpc';
import { findVisible } from '../actions/find-visible.ts';
import { showApproval } from '../actions/show-approvals.ts';
import type { Context } from '../context.ts';
import { moveRecipient, notePassed } from '../db/recipients.ts';
import { noticesOf } from '../domain/events.ts';
import { settledAlready, statusNow } from '../domain/machine.ts';
import { approvalsTopic } from '../domain/topics.ts';

/** The AI at a person's front door passes an ask, or an invite, on to their requests. */
export const passRequest =
  (context: Context): UnaryHandler<typeof ApprovalsService.method.passRequest> =>
  async ({ id, note }, call) => {
    if (parseId('inv', id) !== null) return await context.elsewhere().passInvite(id, note ?? '', call);
    const { caller } = call;
    const { approvals, batched, clock, people } = context;
    const found = await findVisible(context, id, caller);
    const { approval, recipients } = found;
    const place = recipients.find(({ front_door }) => front_door === caller.id);
    if (place === undefined || place.person === null)
      throw forbidden('this did not come to you at the front door of your person');
    if (place.passed_at === null) {
      const person = await people.findOne(place.person);
      if (person === null) throw notFound();
      await approvals.locked(approval.id, async (tx, locked) => {
        const status = statusNow(locked.approval, clock.now());
        if (status !== 'waiting') throw settledAlready(status);
        const now = locked.recipients.find((one) => one.position === place.position);
        if (now === undefined || now.decision !== 'waiting')
          throw badRequest('this was answered already', { code: 'already_settled' });
        if (now.passed_at !== null) return;
        await moveRecipient(tx, now, { owner: person.id, box: 'requests' });
        await notePassed(tx, now, { at: new Date(clock.now()), note: note ?? null });
        tx.announce(...noticesOf(approval, [{ person, child: null }], { by: caller }));
        tx.wake(approvalsTopic(person.id), approvalsTopic(caller.id));
      });
    }
    return await showApproval(context, (await batched.find(approval.id)) ?? found, caller);
  };
