import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import { type IdentityService, KeyRotationReason } from '@hearth/proto/identity/v1/identity';
import type { UnaryHandler } from '@hearth/rpc';
import { newConnectorKey } from '../connector-key.ts';
import type { Context } from '../context.ts';
import { lockAi } from '../db/ais.ts';
import { countLiveKeys, endKeys, insertKey, listKeys } from '../db/keys.ts';
import { oldKeysEndAt } from '../domain/key-rotation.ts';
import { credentialsChanged } from '../events/credentials.ts';
import { recordKeyRotation } from '../metrics.ts';
import { toAiKey } from './to-proto.ts';
import { callingAi, namedAi, switchedOff } from './viewer.ts';

/** More than can work at once: those that ended of late are shown with them. */
const keysShown = 20;

/** Gives an AI a new key and lets its old ones end. */
export function rotateAiKey(context: Context): UnaryHandler<typeof IdentityService.method.rotateAiKey> {
  const { bus, clock, database, ids, limits } = context;
  return async (request, call) => {
    const id = namedAi(call.caller, request.id);
    // The AI of somebody else looks like none.
    if (id !== callingAi(call.caller)) throw notFound();
    const rotation = {
      leaked: request.reason === KeyRotationReason.LEAKED,
      keepOldMinutes: request.keepOldMinutes,
    };
    const key = newConnectorKey(ids);
    const keys = await database.transaction(async (tx) => {
      const ai = await lockAi(tx, id);
      if (ai === null || ai.revokedAt !== null) throw switchedOff();
      const now = nowDate(clock);
      const liveKeys = await countLiveKeys(tx, id, now);
      await endKeys(tx, id, oldKeysEndAt(rotation, liveKeys, limits.size('keep_old_key_minutes'), now));
      await insertKey(tx, { id: ids.uuid(), ai: id, hash: key.hash, prefix: key.prefix }, now);
      return await listKeys(tx, id, keysShown);
    });
    credentialsChanged(bus, id);
    recordKeyRotation(rotation);
    return { connectorKey: key.text, keys: keys.map(toAiKey) };
  };
}
