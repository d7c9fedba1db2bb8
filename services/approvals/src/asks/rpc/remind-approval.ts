import { hour } from '@hearth/clock';
import { HearthError } from '@hearth/errors';
import { sizeOf } from '@hearth/limits';
import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { UnaryHandler } from '@hearth/rpc';
import { announceState } from '../actions/change-approval.ts';
import { findVisible } from '../actions/find-visible.ts';
import { requireAsker } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { noteReminder } from '../db/approvals.ts';
import type { RecipientRow } from '../db/recipients.ts';
import { approvalReminded, mailedOf, type Notified, noticesOf } from '../domain/events.ts';
import { settledAlready, statusNow } from '../domain/machine.ts';

/**
 * Notifies the recipients again who have not answered, except those in whose requests the ask waits quietly.
 * If none of them can be notified, no reminder is used up.
 */
export const remindApproval =
  (context: Context): UnaryHandler<typeof ApprovalsService.method.remindApproval> =>
  async ({ id }, { caller }) => {
    const { approvals, clock, homeNames, limits } = context;
    const { approval, recipients } = await findVisible(context, id, caller);
    requireAsker(approval, caller, 'remind others of it');
    const notified = await notifiedOf(context, recipients.filter(isOpen));
    return await approvals.locked(approval.id, async (tx, { approval: locked, recipients: asked }) => {
      const now = clock.now();
      const status = statusNow(locked, now);
      if (status !== 'waiting') throw settledAlready(status);
      const most = sizeOf(limits, 'ask_reminders');
      if (locked.reminders >= most) throw tooMany('ask_reminders', locked.expires_at);
      const pauseMs = sizeOf(limits, 'ask_reminder_hours') * hour;
      const next = (locked.reminded_at?.getTime() ?? -pauseMs) + pauseMs;
      if (next > now) throw tooMany('ask_reminder_hours', new Date(next));
      // `notified` was read before the lock: at worst, a recipient who just answered is notified once more.
      const mailed = mailedOf(asked);
      // Recipients elsewhere are notified by their own home.
      const away = asked.filter(
        (recipient) => recipient.home !== null && recipient.decision === 'waiting',
      ).length;
      const told =
        notified.filter(({ person }) => person.app !== '' || person.email !== '').length +
        mailed.length +
        away;
      const reminded = notified.length + mailed.length + away;
      if (told === 0) return { reminded, told, remindersLeft: most - locked.reminders };
      await noteReminder(tx, locked.id, new Date(now));
      const notices = noticesOf(locked, notified, { reminder: true, by: caller });
      tx.announce(approvalReminded(locked, mailed, caller), ...notices);
      const after = { ...locked, reminders: locked.reminders + 1 };
      await announceState(tx, homeNames, { approval: after, recipients: asked });
      return { reminded, told, remindersLeft: most - locked.reminders - 1 };
    });
  };

function isOpen({ decision, handling, kind }: RecipientRow): boolean {
  return decision === 'waiting' && handling === 'delivered' && kind === 'person';
}

async function notifiedOf({ people }: Context, open: readonly RecipientRow[]): Promise<Notified[]> {
  const facts = await people.find(open.flatMap(({ person }) => person ?? []));
  return open.flatMap(({ person, recipient, minor }): Notified[] => {
    const found = facts.get(person ?? '');
    return found === undefined ? [] : [{ person: found, child: minor ? recipient : null }];
  });
}

function tooMany(limit: 'ask_reminders' | 'ask_reminder_hours', resetsAt: Date): HearthError {
  const words =
    limit === 'ask_reminders'
      ? 'they were reminded as often as can be; wait for their answer'
      : `they were reminded a short while ago; you can again at ${resetsAt.toISOString()}`;
  return new HearthError('rate_limited', `${words} (the limit ${limit})`, {
    code: 'rate_limited',
    limit,
    resetsAt,
  });
}
