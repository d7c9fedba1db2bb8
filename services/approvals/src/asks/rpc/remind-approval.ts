import { hour } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { HearthError, notFound } from '@hearth/errors';
import { sizeOf } from '@hearth/limits';
import type { OutboxRow } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import { findVisible } from '../actions/find-visible.ts';
import { askPath } from '../actions/receipt.ts';
import { sendMails } from '../actions/send-mails.ts';
import { statusNow } from '../actions/show-approvals.ts';
import type { Context } from '../context.ts';
import { type ApprovalRow, lockApproval, noteReminder } from '../db/approvals.ts';
import { mailAgain } from '../db/mails.ts';
import type { RecipientRow } from '../db/recipients.ts';
import { personNotified } from '../domain/events.ts';
import { settledAlready } from '../domain/machine.ts';
import { type Notified, noticesFor } from '../domain/notices.ts';
import { requireAsker } from './cancel-approval.ts';
import type { ApprovalsHandlers } from './index.ts';

/** Tells those people once more who have not answered. Those in whose requests it waits quietly are left alone. */
export const remindApproval =
  (context: Context): ApprovalsHandlers['remindApproval'] =>
  async ({ id }, { caller }) => {
    const { background, database, outbox } = context;
    const { approval, recipients } = await findVisible(context, id, caller);
    requireAsker(approval, caller, 'remind others of it');
    const events = await noticesTo(context, approval, recipients.filter(isOpen), caller);
    const { mailed, left } = await database.transaction((tx) => remind(context, tx, approval.id, events));
    if (events.length > 0) outbox.committed(events);
    if (mailed > 0) background.run('mails', () => sendMails(context));
    return { reminded: events.length + mailed, remindersLeft: left };
  };

function isOpen({ decision, handling, kind }: RecipientRow): boolean {
  return decision === 'waiting' && handling === 'delivered' && kind === 'person';
}

async function noticesTo(
  { outbox, people }: Context,
  approval: ApprovalRow,
  open: readonly RecipientRow[],
  caller: Caller,
): Promise<OutboxRow[]> {
  const facts = await people.find(open.flatMap(({ person }) => person ?? []));
  const notified = open.flatMap(({ person, recipient, minor }): Notified[] => {
    const found = person === null ? undefined : facts.get(person);
    return found === undefined ? [] : [{ person: found, child: minor ? recipient : null }];
  });
  return noticesFor(approval, notified, askPath(approval.id), true).map((notice) =>
    personNotified(outbox, notice, caller),
  );
}

async function remind(
  context: Context,
  tx: Tx,
  id: string,
  events: readonly OutboxRow[],
): Promise<{ mailed: number; left: number }> {
  const now = context.clock.now();
  const approval = await lockApproval(tx, id);
  if (approval === null) throw notFound();
  const status = statusNow(approval, now);
  if (status !== 'waiting') throw settledAlready(status);
  // Whoever answered meanwhile is told once too often at most.
  const most = sizeOf(context.limits, 'ask_reminders');
  if (approval.reminders >= most) throw tooMany('ask_reminders', approval.expires_at);
  const restMs = sizeOf(context.limits, 'ask_reminder_hours') * hour;
  const again = (approval.reminded_at?.getTime() ?? -restMs) + restMs;
  if (again > now) throw tooMany('ask_reminder_hours', new Date(again));
  await noteReminder(tx, id, new Date(now));
  const mailed = await mailAgain(tx, id, new Date(now));
  if (events.length > 0) await context.outbox.announce(tx, events);
  return { mailed, left: most - approval.reminders - 1 };
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
