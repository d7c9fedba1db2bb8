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

/** How an owner and their AI part. */
export interface Parting {
  /** uuids of the apps that receive it. */
  apps: string[];
  /** The caller that did it; absent when it happened by itself. */
  by?: Caller | undefined;
}

/** Switches a locked AI off for good, with its keys, its sign-ins and what others said for it. */
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
 * Gives a locked AI that was claimed by its link back to itself: its old name and address, the permissions of an AI
 * without an owner, a fresh claim link; what its owner gave it and took from it ends.
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
  // Renamed meanwhile, it may have been about to end.
  await takeAddress(tx, released.address, ai.id, now);
  await endOtherAddresses(tx, ai.id, released.address, now);
  await endKeysMadeByOthers(tx, ai.id, now);
  await endGrantsOf(tx, ai.id, now);
  tx.announce(aiUnclaimed(released, { owner: ai.owner ?? '', why, apps }, by));
  tx.signal('credentials', ai.id);
  return released;
}

/**
 * For the transaction that asks for the end of an account, which has locked the person: AIs that they claimed by link
 * within the last day go back to themselves at once, whatever becomes of the account.
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
 * For the transaction that ends an account, which has locked the person: AIs that they claimed by link within the last
 * day go back to themselves, all others are switched off, and the person's word for AIs without an owner is taken back.
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

/** Takes a person's word for a locked AI back; the AI as it is then, or null when there was none. */
export async function unvouchLocked(
  tx: UnitOfWork,
  ai: AiRow,
  person: string,
  by: Caller | undefined,
): Promise<AiRow | null> {
  const vouch = await deleteVouch(tx, ai.id, person);
  if (vouch === null) return null;
  tx.signal('credentials', ai.id);
  // A person who vouched without a name is named to no one.
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
