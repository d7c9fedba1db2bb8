import { named, sql, type Tx } from '@hearth/db';
import type { AiRow } from './ais.ts';

export type DescriptionColumns = Pick<AiRow, 'description' | 'descriptionDay' | 'descriptionChanges'>;

export async function updateDescription(tx: Tx, id: string, to: DescriptionColumns): Promise<void> {
  await tx.execute(sql`
    update identity.ais
    set description = ${to.description}, description_day = ${to.descriptionDay},
      description_changes = ${to.descriptionChanges}
    where id = ${id} and revoked_at is null`);
}

export async function updateAway(
  tx: Tx,
  id: string,
  to: Pick<AiRow, 'awayUntil' | 'awayNote'>,
): Promise<void> {
  await tx.execute(sql`
    update identity.ais set away_until = ${to.awayUntil}, away_note = ${to.awayNote}
    where id = ${id} and revoked_at is null`);
}

/** Records when a group was renamed; false if this rename, or a later one, was recorded before. */
export async function takeGroupName(tx: Tx, id: string, at: Date): Promise<boolean> {
  const taken = await tx.execute(sql`
    update identity.ais set group_named_at = ${at}
    where id = ${id} and coalesce(group_named_at, '-infinity') < ${at}`);
  return taken > 0;
}

export type ProfileColumns = Pick<AiRow, 'name' | 'address' | 'permissions' | 'ownerPrivate' | 'platform'>;

/** Updates the settings that an owner controls. */
export async function updateProfile(tx: Tx, id: string, to: ProfileColumns): Promise<void> {
  await tx.execute(sql`
    update identity.ais
    set name = ${to.name}, address = ${to.address}, permissions = ${to.permissions},
      owner_private = ${to.ownerPrivate}, platform = ${to.platform}
    where id = ${id} and revoked_at is null`);
}

export type OwnerColumns = Pick<
  AiRow,
  | 'owner'
  | 'ownerPrivate'
  | 'status'
  | 'permissions'
  | 'name'
  | 'address'
  | 'claimedAt'
  | 'claimedByLink'
  | 'addressBefore'
  | 'nameBefore'
>;

/** Sets or removes an AI's owner. */
export async function updateOwner(tx: Tx, id: string, to: OwnerColumns): Promise<void> {
  await tx.execute(named('identity_update_owner')`
    update identity.ais
    set owner = ${to.owner}, owner_private = ${to.ownerPrivate}, status = ${to.status},
      permissions = ${to.permissions}, name = ${to.name}, address = ${to.address},
      claimed_at = ${to.claimedAt}, claimed_by_link = ${to.claimedByLink},
      address_before = ${to.addressBefore}, name_before = ${to.nameBefore}
    where id = ${id} and revoked_at is null`);
}

export async function updateStatus(tx: Tx, id: string, status: AiRow['status']): Promise<void> {
  await tx.execute(sql`update identity.ais set status = ${status} where id = ${id} and revoked_at is null`);
}

/** Stores a new claim link; the previous one stops working. */
export async function updateClaimLink(tx: Tx, id: string, version: number, hash: Buffer): Promise<void> {
  await tx.execute(sql`
    update identity.ais set claim_version = ${version}, claim_hash = ${hash}
    where id = ${id} and revoked_at is null`);
}

/** Suspends an AI; null ends the suspension. */
export async function updateSuspension(
  tx: Tx,
  id: string,
  until: Date | null,
  reason: string,
): Promise<void> {
  await tx.execute(sql`
    update identity.ais set suspended_until = ${until}, suspend_reason = ${reason}
    where id = ${id} and revoked_at is null`);
}

/** Switches an AI off for good. */
export async function updateRevoked(tx: Tx, id: string, reason: string, now: Date): Promise<void> {
  await tx.execute(sql`
    update identity.ais set revoked_at = ${now}, revoke_reason = ${reason}
    where id = ${id} and revoked_at is null`);
}
