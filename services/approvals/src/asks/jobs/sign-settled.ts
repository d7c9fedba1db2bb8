import { second } from '@hearth/clock';
import { finish } from '../actions/sign-approval.ts';
import type { Context } from '../context.ts';
import { claimUnsigned } from '../db/approvals.ts';
import { eachOf } from './expire-approvals.ts';

/** Whoever settled it is still at it before. */
const graceMs = 5 * second;
const leaseMs = 30 * second;
const batch = 50;
const atOnce = 4;

/** Signs and announces what settled and was left without by a crash, or while federation was away. */
export async function finishSettled(context: Context): Promise<void> {
  const { clock, database, log } = context;
  for (;;) {
    const now = clock.now();
    const ids = await database.transaction((tx) =>
      claimUnsigned(tx, {
        before: new Date(now - graceMs),
        now: new Date(now),
        until: new Date(now + leaseMs),
        limit: batch,
      }),
    );
    await eachOf(ids, atOnce, async (id) => {
      await finishOne(context, id).catch((err: unknown) => {
        log.warn({ err, approval: id }, 'a settled approval still waits to be signed');
      });
    });
    if (ids.length < batch) return;
  }
}

async function finishOne(context: Context, id: string): Promise<void> {
  const settled = await context.gathered.find(id);
  if (settled !== null) await finish(context, settled);
}
