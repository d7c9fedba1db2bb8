import { type Clock, nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import type { Outbox, OutboxRow } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import type { ClaimLinks } from '../../shared/actions/claim-links.ts';
import { endOtherAddresses, takeAddress } from '../../shared/db/addresses.ts';
import { updateClaimLink, updateOwner, updateRevoked, updateStatus } from '../../shared/db/ai-changes.ts';
import { type AiRow, lockAi, lockLiveAisOf } from '../../shared/db/ais.ts';
import { endKeys, endKeysMadeByOthers } from '../../shared/db/keys.ts';
import { countVouchesFor, deleteVouch, deleteVouchesFor, listVouchesOf } from '../../shared/db/vouches.ts';
import { aiChanged, aiRevoked, aiUnclaimed, aiUnvouched } from '../../shared/domain/ai-events.ts';
import { undoUntil } from '../../shared/domain/claim.ts';
import { usualPermissions } from '../../shared/domain/permissions.ts';
import { endGrantsOf } from '../db/ai-grants.ts';
import { deleteAiGroups } from '../db/ai-groups.ts';

export interface PartingTools {
  clock: Clock;
  outbox: Pick<Outbox, 'row'>;
  claimLinks: Pick<ClaimLinks, 'hashOf'>;
}

/** How an owner and their AI part. */
export interface Parting {
  /** uuids of the apps that shall hear it. */
  apps: string[];
  /** Who did it; absent when it happened by itself. */
  by?: Caller | undefined;
}

/**
 * Switches a locked AI off for good, with its keys, its sign-ins and what others said for it. The answer is to be
 * announced in the same transaction; after the commit its credentials have changed.
 */
export async function revokeLocked(
  { clock, outbox }: Pick<PartingTools, 'clock' | 'outbox'>,
  tx: Tx,
  ai: AiRow,
  { apps, by, reason }: Parting & { reason: string },
): Promise<{ ai: AiRow; row: OutboxRow }> {
  const now = nowDate(clock);
  await updateRevoked(tx, ai.id, reason, now);
  await endKeys(tx, ai.id, now);
  await endGrantsOf(tx, ai.id, now);
  await deleteVouchesFor(tx, ai.id);
  await deleteAiGroups(tx, ai.id);
  const revoked = { ...ai, revokedAt: now };
  return { ai: revoked, row: aiRevoked(outbox, revoked, { reason, apps }, by) };
}

/**
 * Gives a locked AI that was claimed by its link back to itself: its old name and address, the permissions of an AI that
 * nobody owns, a fresh claim link; what its owner gave it and took from it ends. To be announced as above.
 */
export async function releaseLocked(
  { clock, outbox, claimLinks }: PartingTools,
  tx: Tx,
  ai: AiRow,
  { apps, by, why }: Parting & { why: 'not_my_person' | 'released' },
): Promise<{ ai: AiRow; row: OutboxRow }> {
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
  await deleteAiGroups(tx, ai.id);
  const row = aiUnclaimed(outbox, released, { owner: ai.owner ?? '', why, apps }, by);
  return { ai: released, row };
}

/**
 * For the transaction that ends an account, which has locked the person: AIs that they claimed by link within the last
 * day go back to themselves, all others are switched off, and the person's word for AIs of nobody is taken back.
 *
 * @returns rows to announce in `tx`, and the uuids of the AIs whose credentials have changed after the commit
 */
export async function partWithAis(
  tools: PartingTools,
  tx: Tx,
  person: string,
  parting: Parting,
): Promise<{ rows: OutboxRow[]; ais: string[] }> {
  const rows: OutboxRow[] = [];
  const ais = await lockLiveAisOf(tx, person);
  for (const ai of ais) {
    const { row } =
      undoUntil(ai, nowDate(tools.clock)) === null
        ? await revokeLocked(tools, tx, ai, { ...parting, reason: 'its person deleted their account' })
        : await releaseLocked(tools, tx, ai, { ...parting, why: 'released' });
    rows.push(row);
  }
  const left: string[] = [];
  for (const id of await listVouchesOf(tx, person)) {
    const ai = await lockAi(tx, id);
    const unvouched = ai && (await unvouchLocked(tools, tx, ai, person, parting.by));
    if (unvouched) {
      rows.push(unvouched.row);
      left.push(id);
    }
  }
  return { rows, ais: [...ais.map(({ id }) => id), ...left] };
}

/** Takes a person's word for a locked AI back; what there is to announce of it, or null. */
export async function unvouchLocked(
  { outbox }: Pick<PartingTools, 'outbox'>,
  tx: Tx,
  ai: AiRow,
  person: string,
  by: Caller | undefined,
): Promise<{ ai: AiRow; row: OutboxRow } | null> {
  const vouch = await deleteVouch(tx, ai.id, person);
  if (vouch === null) return null;
  // Nobody is told who it was that vouched without a name.
  const actor = vouch.private ? undefined : by;
  if (ai.status !== 'vouched' || (await countVouchesFor(tx, ai.id)) > 0) {
    return { ai, row: aiChanged(outbox, ai, ['vouched_by'], actor) };
  }
  await updateStatus(tx, ai.id, 'unclaimed');
  const alone: AiRow = { ...ai, status: 'unclaimed' };
  return { ai: alone, row: aiUnvouched(outbox, alone, person, actor) };
}
