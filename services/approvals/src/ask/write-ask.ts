import type { OutboxRow } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { insertApproval } from '../db/approvals.ts';
import { insertRecipients } from '../db/recipients.ts';
import { sendMails } from '../jobs/send-mails.ts';
import { recordAsked, recordSettled } from '../metrics.ts';
import { finishNow } from '../settle/change.ts';
import type { AskRows } from './ask-rows.ts';

/**
 * Writes an ask and announces it; what rules settled at once is signed before this resolves. False when its id or
 * request_id is taken: nothing was written then.
 */
export async function writeAsk(
  context: Context,
  { approval, recipients }: AskRows,
  events: readonly OutboxRow[],
  caller?: Caller,
): Promise<boolean> {
  const { background, database, outbox } = context;
  const written = await database.transaction(async (tx) => {
    if (!(await insertApproval(tx, approval))) return false;
    await insertRecipients(tx, recipients);
    if (events.length > 0) await outbox.announce(tx, events);
    return true;
  });
  if (!written) return false;
  if (events.length > 0) outbox.committed(events);
  recordAsked({ kind: approval.kind });
  if (recipients.some(({ kind }) => kind === 'email')) background.run('mails', () => sendMails(context));
  if (approval.status !== 'waiting') {
    recordSettled({ status: approval.status, kind: approval.kind });
    await finishNow(context, approval.id, caller);
  }
  return true;
}
