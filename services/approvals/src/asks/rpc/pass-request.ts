import { badRequest, forbidden, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { OutboxRow } from '@hearth/outbox';
import { approvalsTopic } from '../../shared/domain/topics.ts';
import { findVisible } from '../actions/find-visible.ts';
import { askPath } from '../actions/receipt.ts';
import { showApproval, statusNow } from '../actions/show-approvals.ts';
import type { Context } from '../context.ts';
import { lockApproval } from '../db/approvals.ts';
import { listRecipients, moveRecipient, notePassed } from '../db/recipients.ts';
import { personNotified } from '../domain/events.ts';
import { settledAlready } from '../domain/machine.ts';
import { noticesFor } from '../domain/notices.ts';
import type { ApprovalsHandlers } from './index.ts';

/** The AI at a person's front door passes an ask, or an invite, on to them: from then on it stands in their requests. */
export const passRequest =
  (context: Context): ApprovalsHandlers['passRequest'] =>
  async ({ id, note }, call) => {
    if (parseId('inv', id) !== null) return await context.rules.passInvite(id, note ?? '', call);
    const { caller } = call;
    const { clock, database, gathered, outbox, people } = context;
    const found = await findVisible(context, id, caller);
    const { approval, recipients } = found;
    const place = recipients.find(({ front_door }) => front_door === caller.id);
    if (place === undefined || place.person === null)
      throw forbidden('this did not come to you at the front door of your person');
    if (place.passed_at === null) {
      const person = await people.findOne(place.person);
      if (person === null) throw notFound();
      const events: OutboxRow[] = noticesFor(approval, [{ person, child: null }], askPath(approval.id)).map(
        (notice) => personNotified(outbox, notice, caller),
      );
      const passed = await database.transaction(async (tx) => {
        const locked = await lockApproval(tx, approval.id);
        if (locked === null) throw notFound();
        const status = statusNow(locked, clock.now());
        if (status !== 'waiting') throw settledAlready(status);
        const now = (await listRecipients(tx, approval.id)).find((one) => one.position === place.position);
        if (now === undefined || now.decision !== 'waiting')
          throw badRequest('this was answered already', { code: 'already_settled' });
        if (now.passed_at !== null) return false;
        await moveRecipient(tx, now, { owner: person.id, box: 'requests' });
        await notePassed(tx, now, { at: new Date(clock.now()), note: note ?? null });
        await outbox.announce(tx, events);
        return true;
      });
      if (passed) {
        outbox.committed(events);
        outbox.wake([approvalsTopic(person.id), approvalsTopic(caller.id)]);
      }
    }
    return await showApproval(context, (await gathered.find(approval.id)) ?? found, caller);
  };
