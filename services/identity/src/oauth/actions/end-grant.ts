import type { Bus } from '@hearth/bus';
import { type Clock, nowDate } from '@hearth/clock';
import type { Database } from '@hearth/db';
import { credentialsChanged } from '../../shared/actions/credentials.ts';
import { recordGrant } from '../../shared/actions/metrics.ts';
import { endOAuthGrant } from '../db/oauth-grants.ts';
import { deleteOAuthObjectsOf } from '../db/oauth-objects.ts';

/** Ends a grant with everything that came of it: its tokens stop working at once. Repeated, it does nothing. */
export async function endGrant(
  { bus, clock, database }: { bus: Pick<Bus, 'signal'>; clock: Clock; database: Database },
  id: string,
  why: 'ended' | 'revoked' | 'idle',
): Promise<void> {
  const ai = await database.transaction(async (tx) => {
    await deleteOAuthObjectsOf(tx, id);
    return await endOAuthGrant(tx, id, nowDate(clock));
  });
  if (ai === null) return;
  recordGrant({ outcome: why });
  credentialsChanged(bus, ai);
}
