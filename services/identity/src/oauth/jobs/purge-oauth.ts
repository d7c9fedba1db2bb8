import { day, hour } from '@hearth/clock';
import { inBatches } from '@hearth/db';
import { endedIn } from '../../shared/db/ended-rows.ts';
import { endGrant } from '../actions/end-grant.ts';
import type { Context } from '../context.ts';
import { listIdleGrants } from '../db/oauth-grants.ts';
import { deleteUnusedClients } from '../db/oauth-objects.ts';

const batch = 1_000;
/** For so long a program that registered itself may wait for the first person who uses it. */
const unusedClientMs = 30 * day;
/** Before it a grant may yet be fetching its first token. */
const settledMs = hour;

/** Expired objects go; a grant without a token left has ended; programs that no one uses are forgotten. */
export async function purgeOAuth(context: Pick<Context, 'clock' | 'commit' | 'database'>): Promise<void> {
  const { clock, database } = context;
  const before = (milliseconds: number) => new Date(clock.now() - milliseconds);
  await inBatches(database, batch, (tx, size) => endedIn('oauth_objects')(tx, before(0), size));
  for (const id of await listIdleGrants(database.db, before(settledMs), batch)) {
    await endGrant(context, id, 'idle');
  }
  await inBatches(database, batch, (tx, size) => deleteUnusedClients(tx, before(unusedClientMs), size));
}
