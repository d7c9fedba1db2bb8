import { nowDate } from '@hearth/clock';
import { recordGrant } from '../../shared/actions/metrics.ts';
import type { Context } from '../context.ts';
import { endOAuthGrant } from '../db/oauth-grants.ts';
import { deleteOAuthObjectsOf } from '../db/oauth-objects.ts';

/** Ends a grant and deletes everything issued under it; its tokens stop working at once. Idempotent. */
export async function endGrant(
  { clock, commit }: Pick<Context, 'clock' | 'commit'>,
  id: string,
  why: 'ended' | 'revoked' | 'idle',
): Promise<void> {
  const ended = await commit(async (tx) => {
    await deleteOAuthObjectsOf(tx, id);
    const ai = await endOAuthGrant(tx, id, nowDate(clock));
    if (ai === null) return false;
    tx.announce({ data: { case: 'grantEnded', value: { grant: id, ai } } });
    tx.signal('credentials', ai);
    return true;
  });
  if (ended) recordGrant({ outcome: why });
}
