import { nowDate } from '@hearth/clock';
import type { UnitOfWork } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { IdentityParts } from '../../shared/actions/parts.ts';
import { endOtherAddresses, takeAddress } from '../../shared/db/addresses.ts';
import { updateClaimLink, updateOwner, updateRevoked, updateStatus } from '../../shared/db/ai-changes.ts';
import { type AiRow, lockAi, lockLiveAisOf } from '../../shared/db/ais.ts';
import { endKeys, endKeysMadeByOthers } from '../../shared/db/keys.ts';
import { countVouchesFor, deleteVouch, deleteVouchesFor, listVouchesOf } from '../../shared/db/vouches.ts';
import { aiChanged, aiRevoked, aiUnclaimed, aiUnvouched } from '../../shared/domain/ai-events.ts';
import { undoUntil } from '../../shared/domain/claim.ts';
import { usualPermissions } from '../../shared/domain/permissions.ts';
import { endGrantsOf } from '../db/ai-grants.ts';

type Deps = Pick<Host, 'clock'> & { claimLinks: Pick<IdentityParts['claimLinks'], 'hashOf'> };

/** Context of a separation of an AI from its owner. */
export interface Parting {
  /** uuids of the apps to notify. */
  apps: string[];
  /** Absent if no caller did it, as on expiry. */
  by?: Caller | undefined;
}

/** Switches a locked AI off for good and ends its keys, grants and vouches. */
export async function revokeLocked(
  { clock }: Pick<Deps, 'clock'>,
  tx: UnitOfWork,
  ai: AiRow,
  { apps, by, reason }: Parting & { reason: string },
): Promise<AiRow> {
  const now = nowDate(clock);
  await updateRevoked(tx, ai.id, reason, now);
  await endKeys(tx, { ai: ai.id }, now);
  await endGrantsOf(tx, ai.id, now);
  await deleteVouchesFor(tx, ai.id);
  const revoked = { ...ai, revokedAt: now };
  tx.announce(aiRevoked(revoked, { reason, apps }, by));
  tx.signal('credentials', ai.id);
  return revoked;
}

/**
 * Releases a locked AI that was claimed by link: restores its old name and address, the permissions of an AI
 * without an owner, and a fresh claim link. Keys and grants that its owner made end.
 */
export async function releaseLocked(
  { clock, claimLinks }: Deps,
  tx: UnitOfWork,
  ai: AiRow,
  { apps, by, why }: Parting & { why: 'not_my_person' | 'released' },
): Promise<AiRow> {
  const now = nowDate(clock);
  const released: AiRow = {
    ...ai,
    owner: null,
    ownerMinor: false,
    ownerPrivate: false,
    status: 'unclaimed',
    permissions: [...usualPermissions],
    name: ai.nameBefore ?? ai.name,
    address: ai.addressBefore ?? ai.address,
    claimedAt: null,
    claimedByLink: false,
    addressBefore: null,
    nameBefore: null,
    claimVersion: ai.claimVersion + 1,
  };
  await updateOwner(tx, ai.id, released);
  await updateClaimLink(tx, ai.id, released.claimVersion, claimLinks.hashOf(ai.id, released.claimVersion));
  // A rename may have set this address to expire.
  await takeAddress(tx, released.address, ai.id, now);
  await endOtherAddresses(tx, ai.id, released.address, now);
  await endKeysMadeByOthers(tx, ai.id, now);
  await endGrantsOf(tx, ai.id, now);
  tx.announce(aiUnclaimed(released, { owner: ai.owner ?? '', why, apps }, by));
  tx.signal('credentials', ai.id);
  return released;
}

/**
 * For the transaction that asks to delete an account, which holds the person's lock: AIs that they claimed by
 * link within the last day are released at once, even if the deletion is undone later.
 */
export async function releaseAisOf(
  deps: Deps,
  tx: UnitOfWork,
  person: string,
  parting: Parting,
): Promise<void> {
  for (const ai of await lockLiveAisOf(tx, person)) {
    if (undoUntil(ai, nowDate(deps.clock)) !== null)
      await releaseLocked(deps, tx, ai, { ...parting, why: 'released' });
  }
}

/**
 * For the transaction that ends an account, which holds the person's lock: AIs claimed by link within the
 * last day are released, all others are switched off, and the person's vouches are removed.
 */
export async function partWithAis(
  deps: Deps,
  tx: UnitOfWork,
  person: string,
  parting: Parting,
): Promise<void> {
  await releaseAisOf(deps, tx, person, parting);
  for (const ai of await lockLiveAisOf(tx, person))
    await revokeLocked(deps, tx, ai, { ...parting, reason: 'its person deleted their account' });
  for (const id of await listVouchesOf(tx, person)) {
    const ai = await lockAi(tx, id);
    if (ai !== null) await unvouchLocked(tx, ai, person, parting.by);
  }
}

/** Removes a person's vouch for a locked AI. Returns the AI afterwards, or null if there was no vouch. */
export async function unvouchLocked(
  tx: UnitOfWork,
  ai: AiRow,
  person: string,
  by: Caller | undefined,
): Promise<AiRow | null> {
  const vouch = await deleteVouch(tx, ai.id, person);
  if (vouch === null) return null;
  tx.signal('credentials', ai.id);
  // An anonymous voucher stays anonymous.
  const actor = vouch.private ? undefined : by;
  if (ai.status !== 'vouched' || (await countVouchesFor(tx, ai.id)) > 0) {
    tx.announce(aiChanged(ai, ['vouched_by'], actor));
    return ai;
  }
  await updateStatus(tx, ai.id, 'unclaimed');
  const alone: AiRow = { ...ai, status: 'unclaimed' };
  tx.announce(aiUnvouched(alone, person, actor));
  return alone;
}
