import { expireApproval } from '../actions/change-approval.ts';
import type { Context } from '../context.ts';
import { findDue } from '../db/approvals.ts';

const batch = 100;
/** Each costs a transaction, a signature and another transaction. */
const atOnce = 4;

/** Settles what ran out of time. Until it runs, it is shown as expired already. */
export async function expireDue(context: Context): Promise<void> {
  for (;;) {
    const due = await findDue(context.database.db, new Date(context.clock.now()), batch);
    await eachOf(due, atOnce, (id) => expireApproval(context, id));
    if (due.length < batch) return;
  }
}

/** Does `work` for each, so many at once; the first failure ends it. */
export async function eachOf<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}
