import { second } from '@hearth/clock';
import { findBoth } from '../actions/copied.ts';
import { doErrands } from '../actions/errands.ts';
import type { Context } from '../context.ts';
import { listErrands, nextErrand } from '../db/agreements.ts';

/** The request that made them is still at it before. */
const graceMs = 5 * second;
const batch = 50;

export const errandDue = { sql: nextErrand(graceMs), afterWritesMs: graceMs };

/** Tells sides and asks owners where a crash, or an absence of other services, left that undone. */
export async function doErrandsLeft(context: Context): Promise<void> {
  const { clock, database } = context;
  const now = clock.now();
  const ids = await listErrands(database.db, new Date(now - graceMs), now, batch);
  for (const row of await findBoth(context, ids)) await doErrands(context, row);
}
