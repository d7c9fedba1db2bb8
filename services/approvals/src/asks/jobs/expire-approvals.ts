import { eachOf } from '@hearth/coalesce';
import { expireApproval } from '../actions/change-approval.ts';
import type { Context } from '../context.ts';
import { findDue } from '../db/approvals.ts';

const batch = 100;
/** Each expiry costs two transactions and a signature. */
const atOnce = 4;

/** Settles expired approvals. They are shown as expired even before. */
export async function expireApprovals(context: Context): Promise<void> {
  for (;;) {
    const due = await findDue(context.database.db, new Date(context.clock.now()), batch);
    await eachOf(due, atOnce, (id) => expireApproval(context, id));
    if (due.length < batch) return;
  }
}
