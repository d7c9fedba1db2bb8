import { day, hour, nowDate } from '@hearth/clock';
import { OAuthService } from '@hearth/proto/identity/v1/oauth';
import type { Host } from '@hearth/runtime';
import type { Context } from '../directory/context.ts';
import { inBatches } from '../shared/actions/in-batches.ts';
import { endGrant } from './actions/end-grant.ts';
import { listIdleGrants } from './db/oauth-grants.ts';
import { deleteOAuthObjectsExpiredBefore, deleteUnusedClients } from './db/oauth-objects.ts';
import { oauthHandlers } from './handlers.ts';

/** What the gateway's authorization server keeps, and what people let programs do. */
export function startOAuth(host: Host, context: Context): void {
  host.serve(OAuthService, oauthHandlers(context));
  host.every('purge of oauth', hour, () => purgeOAuth(context));
}

const batch = 1_000;
/** For so long a program that registered itself may wait for the first person who uses it. */
const unusedClientMs = 30 * day;
/** Before it a grant may yet be fetching its first token. */
const settledMs = hour;

/** What has expired goes; a grant of which no token is left has ended; programs that nobody uses are forgotten. */
export async function purgeOAuth(context: Pick<Context, 'bus' | 'clock' | 'database'>): Promise<void> {
  const { clock, database } = context;
  const now = nowDate(clock);
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  await inBatches(database, batch, (tx) => deleteOAuthObjectsExpiredBefore(tx, now, batch));
  for (const id of await listIdleGrants(database.db, before(settledMs), batch)) {
    await endGrant(context, id, 'idle');
  }
  await inBatches(database, batch, (tx) => deleteUnusedClients(tx, before(unusedClientMs), batch));
}
