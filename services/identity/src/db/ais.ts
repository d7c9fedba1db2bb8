import { type Db, named, sql, type Tx } from '@hearth/db';

/** An AI as it is stored; times of its sightings come with it. */
export interface AiRow {
  /** uuid */
  id: string;
  address: string;
  name: string;
  /** A word of the enum Platform in small letters: "claude". */
  platform: string;
  owner: string | null;
  ownerPrivate: boolean;
  status: 'claimed' | 'vouched' | 'unclaimed';
  /** Words of the enum Scope in small letters: "read". */
  permissions: string[];
  description: string;
  /** YYYY-MM-DD */
  descriptionDay: string | null;
  descriptionChanges: number;
  awayUntil: Date | null;
  awayNote: string;
  publicKey: StoredPublicKey | null;
  claimVersion: number;
  revokedAt: Date | null;
  createdAt: Date;
  waitedAt: Date | null;
  checkedAt: Date | null;
}

/** The key that an AI listed as its own. */
export interface StoredPublicKey {
  kid: string;
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
}

const selectAi = `
  select a.id, a.address, a.name, a.platform, a.owner, a.owner_private as "ownerPrivate", a.status,
    a.permissions, a.description, a.description_day as "descriptionDay",
    a.description_changes as "descriptionChanges", a.away_until as "awayUntil", a.away_note as "awayNote",
    a.public_key as "publicKey", a.claim_version as "claimVersion", a.revoked_at as "revokedAt",
    a.created_at as "createdAt", s.waited_at as "waitedAt", s.checked_at as "checkedAt"
  from identity.ais a left join identity.sightings s on s.ai = a.id`;

/** The AI with that id, switched off or not. */
export async function findAi(db: Db, id: string): Promise<AiRow | null> {
  return await db.maybeOne<AiRow>({
    name: 'identity_find_ai',
    text: `${selectAi} where a.id = $1`,
    values: [id],
  });
}

/** The AI with that id, switched off or not; nobody else changes it until the end of `tx`. */
export async function lockAi(tx: Tx, id: string): Promise<AiRow | null> {
  return await tx.maybeOne<AiRow>({
    name: 'identity_lock_ai',
    text: `${selectAi} where a.id = $1 for no key update of a`,
    values: [id],
  });
}

/** An AI with the address by which it was asked for, which may be an old one. */
export type AddressedAi = AiRow & { asked: string };

/** The AIs behind these addresses, those that are not switched off. */
export async function findLiveByAddress(db: Db, addresses: readonly string[]): Promise<AddressedAi[]> {
  return await db.query<AddressedAi>({
    name: 'identity_find_live_by_address',
    text: `
      select named.address as asked, found.*
      from identity.addresses named join (${selectAi}) found on found.id = named.ai
      where named.address = any($1) and found."revokedAt" is null`,
    values: [addresses],
  });
}

export type NewAi = Pick<
  AiRow,
  | 'id'
  | 'address'
  | 'name'
  | 'platform'
  | 'status'
  | 'permissions'
  | 'description'
  | 'publicKey'
  | 'claimVersion'
  | 'createdAt'
> & { claimHash: Buffer };

export async function insertAi(tx: Tx, ai: NewAi): Promise<void> {
  const publicKey = ai.publicKey === null ? null : JSON.stringify(ai.publicKey);
  await tx.execute(
    named(
      'identity_insert_ai',
      sql`
        insert into identity.ais (id, address, name, platform, status, permissions, description, public_key,
          claim_version, claim_hash, created_at)
        values (${ai.id}, ${ai.address}, ${ai.name}, ${ai.platform}, ${ai.status}, ${ai.permissions},
          ${ai.description}, ${publicKey}, ${ai.claimVersion}, ${ai.claimHash}, ${ai.createdAt})`,
    ),
  );
}

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

/** Switches an AI off, for good. */
export async function updateRevoked(tx: Tx, id: string, reason: string, now: Date): Promise<void> {
  await tx.execute(sql`
    update identity.ais set revoked_at = ${now}, revoke_reason = ${reason}
    where id = ${id} and revoked_at is null`);
}
