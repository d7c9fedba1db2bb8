import { second } from '@hearth/clock';
import { findBoth } from '../actions/copied.ts';
import { doErrands } from '../actions/errands.ts';
import type { Context } from '../context.ts';
import { listErrands, nextErrand } from '../db/agreements.ts';

/** Until then, the request that created the errands still runs them itself. */
const graceMs = 5 * second;
const batch = 50;

export const errandDue = { sql: nextErrand(graceMs), afterWritesMs: graceMs };

/** Runs errands left undone by a crash or an unavailable service. */
export async function doErrandsLeft(context: Context): Promise<void> {
  const { clock, database } = context;
  const now = clock.now();
  const ids = await listErrands(database.db, new Date(now - graceMs), now, batch);
  for (const row of await findBoth(context, ids)) await doErrands(context, row);
}
