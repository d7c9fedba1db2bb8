import { nowDate, second } from '@hearth/clock';
import type { OAuthService } from '@hearth/proto/identity/v1/oauth';
import type { UnaryHandler } from '@hearth/rpc';
import { endGrant } from '../actions/end-grant.ts';
import type { Context } from '../context.ts';
import { findGrantOfObject, updateConsumed } from '../db/oauth-objects.ts';
import { keyOf } from '../domain/object-key.ts';

/**
 * How long a client may repeat a refresh token: its answer was lost, or two of its processes refreshed at
 * once.
 */
const graceMs = 10 * second;

/** Uses an object once. A second use means that it leaked, and ends the whole grant. */
export const consumeObject =
  (context: Context): UnaryHandler<typeof OAuthService.method.consumeObject> =>
  async (request) => {
    const { clock, database } = context;
    const key = keyOf(request);
    const { successorHash } = request;
    const since = new Date(clock.now() - graceMs);
    const grace = successorHash.length === 0 ? null : { since, successor: Buffer.from(successorHash) };
    const consumed = await database.statement((tx) => updateConsumed(tx, key, nowDate(clock), grace));
    if (consumed) return { consumed };
    const grant = await findGrantOfObject(database.db, key);
    if (grant !== null) await endGrant(context, grant, 'revoked');
    return { consumed };
  };
