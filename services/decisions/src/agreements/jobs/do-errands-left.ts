import { second } from '@hearth/clock';
import { doCopyErrands } from '../actions/copy-errands.ts';
import { doErrands } from '../actions/errands.ts';
import type { Context } from '../context.ts';
import { listCopyErrands, listErrands } from '../db/agreements.ts';

/** The request that made them is still at it before. */
const graceMs = 5 * second;
const batch = 50;

/** Tells sides and asks owners where a crash, or an absence of other services, left that undone. */
export async function doErrandsLeft(context: Context): Promise<void> {
  const before = new Date(context.clock.now() - graceMs);
  for (const row of await listErrands(context.database.db, before, batch)) await doErrands(context, row);
  for (const id of await listCopyErrands(context.database.db, context.clock.now(), batch))
    await doCopyErrands(context, id);
}
