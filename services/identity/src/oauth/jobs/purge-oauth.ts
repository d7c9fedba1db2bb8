import { day, hour } from '@hearth/clock';
import { inBatches } from '@hearth/db';
import { endedIn } from '../../shared/db/ended-rows.ts';
import { endGrant } from '../actions/end-grant.ts';
import type { Context } from '../context.ts';
import { listIdleGrants } from '../db/oauth-grants.ts';
import { deleteUnusedClients } from '../db/oauth-objects.ts';

const batch = 1_000;
/** How long a self-registered program may go without a user. */
const unusedClientMs = 30 * day;
/** A younger grant may still be fetching its first token. */
const settledMs = hour;

/** Deletes expired objects, ends grants without a usable token, and deletes unused clients. */
export async function purgeOAuth(context: Pick<Context, 'clock' | 'commit' | 'database'>): Promise<void> {
  const { clock, database } = context;
  const before = (milliseconds: number) => new Date(clock.now() - milliseconds);
  await inBatches(database, batch, (tx, size) => endedIn('oauth_objects')(tx, before(0), size));
  for (const id of await listIdleGrants(database.db, before(settledMs), batch)) {
    await endGrant(context, id, 'idle');
  }
  await inBatches(database, batch, (tx, size) => deleteUnusedClients(tx, before(unusedClientMs), size));
}
