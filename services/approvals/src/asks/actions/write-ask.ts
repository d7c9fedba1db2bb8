import type { OutboxRow } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import type { AskRows } from './ask-rows.ts';
import { finishNow } from './change-approval.ts';
import { recordAsked, recordSettled } from './metrics.ts';
import { sendMails } from './send-mails.ts';

/**
 * Writes an ask and announces it; what rules settled at once is signed before this resolves. Null when its id or
 * request_id is taken: nothing was written then.
 */
export async function writeAsk(
  context: Context,
  rows: AskRows,
  events: readonly OutboxRow[],
  caller?: Caller,
): Promise<WholeApproval | null> {
  const { background, gathered } = context;
  const { approval, recipients } = rows;
  if (!(await gathered.ask({ ...rows, events }))) return null;
  recordAsked({ kind: approval.kind });
  if (recipients.some(({ kind }) => kind === 'email')) background.run('mails', () => sendMails(context));
  if (approval.status === 'waiting') return rows;
  recordSettled({ status: approval.status, kind: approval.kind });
  return await finishNow(context, rows, caller);
}
