import { day, nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { notFound } from '@hearth/errors';
import { sizeOf } from '@hearth/limits';
import type { UnitOfWork } from '@hearth/outbox';
import type { AisService, UpdateAiRequest } from '@hearth/proto/identity/v1/ais';
import { Platform } from '@hearth/proto/identity/v1/resources';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { endAddress } from '../../shared/db/addresses.ts';
import { type ProfileColumns, updateProfile } from '../../shared/db/ai-changes.ts';
import type { AiRow } from '../../shared/db/ais.ts';
import { lockPerson, type PersonRow } from '../../shared/db/people.ts';
import { aiChanged } from '../../shared/domain/ai-events.ts';
import { readName } from '../../shared/domain/ai-name.ts';
import { requireFreshProof, requireMaySettle } from '../../shared/domain/own-act.ts';
import { raisesToApprove, readPermissions } from '../../shared/domain/permissions.ts';
import { toOwner } from '../../shared/domain/to-owner.ts';
import { platforms, scopes, toAi } from '../../shared/domain/to-proto.ts';
import { findManagedAi, lockManagedAi, type ManagedAi } from '../actions/managed-ai.ts';
import { takeFreeAddress, takeOwnAddress } from '../actions/own-ai.ts';
import type { Context } from '../context.ts';
import { handleOf, suits } from '../domain/ai-address.ts';

/** How long the old address keeps working after a rename. */
const oldAddressMs = 90 * day;

/** Changes the settings that an owner controls. */
export const updateAi =
  (context: Context): UnaryHandler<typeof AisService.method.updateAi> =>
  async (request, call) => {
    const managed = await findManagedAi(context, request.id, call.caller, ['owner', 'guardian', 'holder']);
    // A group's settings determine the name and permissions of its AI.
    if (managed.owner === null || managed.ai.revokedAt !== null) throw notFound();
    requireMaySettle(call.caller, toOwner(managed.owner));
    const wanted = readWanted(context, request);
    return toAi(await context.commit((tx) => change(context, tx, managed, wanted, call.caller)));
  };

type Wanted = Partial<Omit<ProfileColumns, 'address'>>;

function readWanted({ limits }: Context, request: UpdateAiRequest): Wanted {
  const { name, ownerPrivate, permissions, platform } = request;
  return {
    ...(name !== undefined && { name: readName(name, sizeOf(limits, 'name_characters')) }),
    ...(permissions.length > 0 && { permissions: readPermissions(permissions.map(scopes.nameOf)) }),
    ...(ownerPrivate !== undefined && { ownerPrivate }),
    ...(platform !== undefined && { platform: platforms.nameOf(platform || Platform.OTHER) }),
  };
}

async function change(
  context: Context,
  tx: UnitOfWork,
  managed: ManagedAi,
  wanted: Wanted,
  caller: Caller,
): Promise<AiRow> {
  const person = await lockPerson(tx, managed.owner!.id);
  if (person === null) throw notFound();
  const ai = await lockManagedAi(tx, managed);
  const next: AiRow = { ...ai, ...wanted };
  if (raisesToApprove(ai.permissions, next.permissions)) requireFreshProof(caller, context.clock.now());
  if (next.name !== ai.name || next.ownerPrivate !== ai.ownerPrivate)
    next.address = await readdress(context, tx, ai, next, person);
  const changed = changesOf(ai, next);
  if (changed.length === 0) return ai;
  await updateProfile(tx, ai.id, next);
  tx.announce(aiChanged(next, changed, caller));
  tx.signal('credentials', ai.id);
  return next;
}

/**
 * Returns the address for the new settings, taking one if needed; a new name with the same slug keeps the
 * address.
 */
async function readdress(
  { clock, random }: Context,
  tx: Tx,
  ai: AiRow,
  { name, ownerPrivate }: AiRow,
  { handle }: PersonRow,
): Promise<string> {
  const now = nowDate(clock);
  const turned = ownerPrivate !== ai.ownerPrivate;
  if (!turned && suits(ai.address, ownerPrivate ? handleOf(ai.address) : handle, name)) return ai.address;
  const address = ownerPrivate
    ? await takeFreeAddress(random, tx, { ai: ai.id, name }, now)
    : await takeOwnAddress(tx, { ai: ai.id, handle, name }, now);
  // An address that hid the owner keeps working for good once the owner becomes visible.
  if (!turned || ownerPrivate)
    await endAddress(tx, ai.address, ai.id, new Date(now.getTime() + oldAddressMs));
  return address;
}

function changesOf(before: AiRow, after: AiRow): string[] {
  const columns = ['name', 'address', 'permissions', 'ownerPrivate', 'platform'] as const;
  const changed = columns.filter((column) => String(before[column]) !== String(after[column]));
  return changed.map((column) => (column === 'ownerPrivate' ? 'owner_private' : column));
}
