import { eachOf } from '@hearth/coalesce';
import { expireApproval } from '../actions/change-approval.ts';
import type { Context } from '../context.ts';
import { findDue } from '../db/approvals.ts';

const batch = 100;
/** Each costs a transaction, a signature and another transaction. */
const atOnce = 4;

/** Settles approvals whose time is over. They show as expired before. */
export async function expireApprovals(context: Context): Promise<void> {
  for (;;) {
    const due = await findDue(context.database.db, new Date(context.clock.now()), batch);
    await eachOf(due, atOnce, (id) => expireApproval(context, id));
    if (due.length < batch) return;
  }
}
