import { nowDate } from '@hearth/clock';
import { badRequest } from '@hearth/errors';
import type { Claim } from '@hearth/idempotency';
import { createIds } from '@hearth/ids';
import { sizeOf } from '@hearth/limits';
import {
  IdentityService,
  KeyRotationReason,
  type RotateAiKeyRequest,
} from '@hearth/proto/identity/v1/identity';
import { type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { findManagedAi, isOwnWord, lockManagedAi, type ManagedAi } from '../../ais/module.ts';
import { recordKeyRotation } from '../../shared/actions/metrics.ts';
import { newSalt, randomOf, requireShown, type Salted } from '../../shared/actions/secret-again.ts';
import {
  countLiveKeys,
  endKeys,
  endKeysMadeByOthers,
  insertKey,
  isLiveKey,
  listKeys,
} from '../../shared/db/keys.ts';
import { undoUntil } from '../../shared/domain/claim.ts';
import { newKey } from '../../shared/domain/secret-key.ts';
import { toKey } from '../../shared/domain/to-proto.ts';
import type { Context } from '../context.ts';
import { oldKeysEndAt } from '../domain/key-rotation.ts';

/** More than the keys that can work at once, so that recently ended ones are shown too. */
const keysShown = 20;

/**
 * Gives an AI a new key and ends its old ones, at the request of the AI, its owner, or the app that holds it.
 */
export const rotateAiKey =
  (context: Context): UnaryHandler<typeof IdentityService.method.rotateAiKey> =>
  async (request, call) => {
    const { caller } = call;
    const allowed = ['itself', 'owner', 'guardian', 'holder'] as const;
    const managed = await findManagedAi(context, request.id, caller, allowed);
    if (managed.ai.groupId !== null) {
      throw badRequest(
        "a group's AI has no key: the app that made the group acts for it with Svc-Acting-For",
        { code: 'bad_field', field: 'id' },
      );
    }
    return await context.rotations.once(call, IdentityService.method.rotateAiKey, request, {
      make: (claim) => rotate(context, managed, request, claim, caller),
      repeat: (salted) => showAgain(context, managed.ai.id, salted),
    });
  };

async function rotate(
  context: Context,
  managed: ManagedAi,
  request: RotateAiKeyRequest,
  claim: Claim<Salted>,
  caller: Caller,
) {
  const { clock, commit, ids, limits } = context;
  const rotation = {
    leaked: request.reason === KeyRotationReason.LEAKED,
    keepOldMinutes: request.keepOldMinutes,
  };
  const salted = newSalt(context);
  const { text, hash, prefix } = keyOf(context, salted);
  const keys = await commit(async (tx) => {
    await claim(tx, salted);
    const ai = await lockManagedAi(tx, managed);
    const { id } = ai;
    const now = nowDate(clock);
    const liveKeys = await countLiveKeys(tx, { ai: id }, now);
    const end = oldKeysEndAt(rotation, liveKeys, sizeOf(limits, 'keep_old_key_minutes'), now);
    // While the AI can still say "not my person", no one else may end the keys it needs for that.
    const keepsOwn = !isOwnWord(managed, caller) && undoUntil(ai, now) !== null;
    await (keepsOwn ? endKeysMadeByOthers(tx, id, end) : endKeys(tx, { ai: id }, end));
    const made = { madeBy: madeBy(caller), through: caller.app || caller.keyApp || null };
    await insertKey(tx, { id: ids.uuid(), ai: id, hash, prefix, ...made }, now);
    tx.signal('credentials', id);
    return await listKeys(tx, { ai: id }, keysShown);
  });
  recordKeyRotation(rotation);
  return { connectorKey: text, keys: keys.map(toKey) };
}

const keyOf = ({ clock, sealer }: Pick<Context, 'clock' | 'sealer'>, salted: Salted) =>
  newKey('ai', createIds(clock, randomOf(sealer, salted)));

async function showAgain(context: Context, ai: string, salted: Salted) {
  const { clock, database } = context;
  const { text, hash } = keyOf(context, salted);
  requireShown(salted, clock, await isLiveKey(database.db, { ai }, hash, nowDate(clock)));
  return { connectorKey: text, keys: (await listKeys(database.db, { ai }, keysShown)).map(toKey) };
}

/** uuid of the person or app that requests the key; null if the AI itself does. */
function madeBy({ app, id, keyMadeBy, kind, person }: Caller): string | null {
  if (kind !== callerKinds.AI) return id;
  if (app !== '') return app;
  // A key made by others cannot make a key that counts as the AI's own.
  return person === '' ? null : keyMadeBy || null;
}
