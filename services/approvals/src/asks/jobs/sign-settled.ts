import { second } from '@hearth/clock';
import { eachOf } from '../actions/each-of.ts';
import { signNow } from '../actions/sign-approval.ts';
import type { Context } from '../context.ts';
import { claimUnsigned } from '../db/approvals.ts';

/** The request that settled an approval is still at it before. */
const graceMs = 5 * second;
const leaseMs = 30 * second;
const batch = 50;
const atOnce = 4;

/** Signs and announces settled approvals that a crash, or an absence of federation, left unsigned. */
export async function signSettled(context: Context): Promise<void> {
  const { batched, clock, database } = context;
  for (;;) {
    const now = clock.now();
    const claim = {
      before: new Date(now - graceMs),
      now: new Date(now),
      until: new Date(now + leaseMs),
      limit: batch,
    };
    const ids = await database.transaction((tx) => claimUnsigned(tx, claim));
    await eachOf(ids, atOnce, async (id) => {
      const settled = await batched.find(id);
      if (settled !== null) await signNow(context, settled);
    });
    if (ids.length < batch) return;
  }
}
