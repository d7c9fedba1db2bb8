import { second } from '@hearth/clock';
import { askOrganizers } from '../actions/ask-organizers.ts';
import type { Context } from '../context.ts';
import { listUnasked, nextUnasked } from '../db/plans.ts';

/** Until then, the request that proposed the plan still asks by itself. */
const graceMs = 5 * second;
const batch = 50;

export const askDue = { sql: nextUnasked(graceMs), afterWritesMs: graceMs };

/** Asks the organizers about plans left unasked by a crash or an unavailable approvals service. */
export async function askUnasked(context: Context): Promise<void> {
  const before = new Date(context.clock.now() - graceMs);
  for (const plan of await listUnasked(context.database.db, before, batch))
    await askOrganizers(context, plan);
}
