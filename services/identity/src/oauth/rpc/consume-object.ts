import { nowDate, second } from '@hearth/clock';
import type { OAuthService } from '@hearth/proto/identity/v1/oauth';
import type { UnaryHandler } from '@hearth/rpc';
import { endGrant } from '../actions/end-grant.ts';
import type { Context } from '../context.ts';
import { findGrantOfObject, updateConsumed } from '../db/oauth-objects.ts';
import { keyOf } from '../domain/object-key.ts';

/** For so long a client may come again with a refresh token: its answer was lost, or two of its processes refreshed at once. */
const graceMs = 10 * second;

/** An object that is used twice is in two hands: the second use ends the whole grant. */
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
