import { allOf, type Db, fragment, isUniqueViolation, named, sql, type Tx } from '@hearth/db';

/** A stored AI, with its sightings and whether a child owns it. */
export interface AiRow {
  /** uuid */
  id: string;
  address: string;
  name: string;
  /** A Platform in lowercase, such as "claude". */
  platform: string;
  owner: string | null;
  /** Whether the owner was under 18 at their last update; `Ages.bandOf` says whether they still are. */
  ownerMinor: boolean;
  ownerPrivate: boolean;
  status: 'claimed' | 'vouched' | 'unclaimed';
  /** Scopes in lowercase, such as "read". */
  permissions: string[];
  description: string;
  /** YYYY-MM-DD in UTC. */
  descriptionDay: string | null;
  descriptionChanges: number;
  awayUntil: Date | null;
  awayNote: string;
  publicKey: StoredPublicKey | null;
  claimVersion: number;
  claimedAt: Date | null;
  /** Whether it was claimed by link, which it can undo for a day. */
  claimedByLink: boolean;
  /** Address and name to restore if the claim is undone. */
  addressBefore: string | null;
  nameBefore: string | null;
  /** The group that the AI runs, and the app that made the group. */
  groupId: string | null;
  groupApp: string | null;
  revokedAt: Date | null;
  /** When the operator's suspension ends, or ended recently; see `suspensionOf`. */
  suspendedUntil: Date | null;
  suspendReason: string;
  /** The owner's suspension. */
  ownerSuspendedUntil: Date | null;
  ownerSuspendReason: string;
  createdAt: Date;
  waitedAt: Date | null;
  checkedAt: Date | null;
  wakesUntil: Date | null;
}

/** The AI's own signing key. */
export interface StoredPublicKey {
  kid: string;
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
}

const selectAi = fragment`
  select a.id, a.address, a.name, a.platform, a.owner, coalesce(p.age_band <> 'adult', false) as "ownerMinor",
    a.owner_private as "ownerPrivate", a.status, a.permissions, a.description,
    a.description_day as "descriptionDay", a.description_changes as "descriptionChanges",
    a.away_until as "awayUntil", a.away_note as "awayNote", a.public_key as "publicKey",
    a.claim_version as "claimVersion", a.claimed_at as "claimedAt", a.claimed_by_link as "claimedByLink",
    a.address_before as "addressBefore", a.name_before as "nameBefore", a.group_id as "groupId",
    a.group_app as "groupApp", a.revoked_at as "revokedAt",
    a.suspended_until as "suspendedUntil", a.suspend_reason as "suspendReason", a.created_at as "createdAt",
    p.suspended_until as "ownerSuspendedUntil", coalesce(p.suspend_reason, '') as "ownerSuspendReason",
    s.waited_at as "waitedAt", s.checked_at as "checkedAt", s.wakes_until as "wakesUntil"
  from identity.ais a
    left join identity.sightings s on s.ai = a.id
    left join identity.people p on p.id = a.owner`;

/** The AI with this id, switched off or not. */
export async function findAi(db: Db, id: string): Promise<AiRow | null> {
  return await db.maybeOne<AiRow>(named('identity_find_ai')`${selectAi} where a.id = ${id}`);
}

/** The AIs with these ids, switched off or not. */
export async function findAis(db: Db, ids: readonly string[]): Promise<AiRow[]> {
  return await db.query<AiRow>(named('identity_find_ais')`${selectAi} where a.id = any(${ids})`);
}

/** Locks the AI, switched off or not, until the end of `tx`. */
export async function lockAi(tx: Tx, id: string): Promise<AiRow | null> {
  return await tx.maybeOne<AiRow>(named('identity_lock_ai')`
    ${selectAi} where a.id = ${id} for no key update of a`);
}

/** The AI, in any state, whose current claim link's token has this SHA-256. */
export async function findAiByClaim(db: Db, hash: Uint8Array): Promise<AiRow | null> {
  return await db.maybeOne<AiRow>(named('identity_find_ai_by_claim')`
    ${selectAi} where a.claim_hash = ${Buffer.from(hash)}`);
}

/** Locks the AI that runs a group. */
export async function lockGroupAi(tx: Tx, group: string): Promise<AiRow | null> {
  return await tx.maybeOne<AiRow>(named('identity_lock_group_ai')`
    ${selectAi} where a.group_id = ${group} for no key update of a`);
}

/** Locks a person's AIs in the order of their ids, without those switched off. */
export async function lockLiveAisOf(tx: Tx, owner: string): Promise<AiRow[]> {
  return await tx.query<AiRow>(named('identity_lock_ais_of')`
    ${selectAi} where a.owner = ${owner} and a.revoked_at is null order by a.id for no key update of a`);
}

export async function countLiveAisOf(db: Db, owner: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`select count(*) from identity.ais where owner = ${owner} and revoked_at is null`,
  );
  return count;
}

/** The scope of a list: one AI, the AIs of a person, or the AIs of people and groups that an app holds. */
export type Holder = { ai: string } | { owner: string } | { app: string };

/** AIs that are not switched off, newest first. `before` is the last id of the previous page. */
export async function listLiveAis(
  db: Db,
  holder: Holder,
  before: string | null,
  limit: number,
): Promise<AiRow[]> {
  const [kind, theirs] =
    'ai' in holder
      ? ['ai', fragment`a.id = ${holder.ai}`]
      : 'owner' in holder
        ? ['owner', fragment`a.owner = ${holder.owner}`]
        : [
            'app',
            fragment`a.id in (
              select theirs.id from identity.people one join identity.ais theirs on theirs.owner = one.id
              where one.app = ${holder.app} and one.deleted_at is null
              union all select id from identity.ais where group_app = ${holder.app})`,
          ];
  return await db.query<AiRow>(named(`identity_list_ais_of_${kind}`)`
    ${selectAi}
    where ${theirs} and a.revoked_at is null and (${before}::uuid is null or a.id < ${before})
    order by a.id desc limit ${limit}`);
}

/** The operator's filters; null for any. */
export interface AiFilter {
  state: 'active' | 'suspended' | 'revoked' | null;
  status: AiRow['status'] | null;
  /** uuid */
  owner: string | null;
  now: Date;
}

/** All AIs, newest first. `before` is the last id of the previous page. */
export async function listAllAis(
  db: Db,
  { state, status, owner, now }: AiFilter,
  before: string | null,
  limit: number,
): Promise<AiRow[]> {
  const states = {
    revoked: fragment`and a.revoked_at is not null`,
    suspended: fragment`and a.revoked_at is null and a.id in (
      select id from identity.ais where suspended_until > ${now} union
      select theirs.id from identity.people one join identity.ais theirs on theirs.owner = one.id
      where one.suspended_until > ${now})`,
    active: fragment`and a.revoked_at is null
      and coalesce(greatest(a.suspended_until, p.suspended_until) <= ${now}, true)`,
  };
  // Only the requested conditions are in the statement, so that Postgres can choose the right index.
  const asked = [
    state !== null && states[state],
    status !== null && fragment`and a.status = ${status}`,
    owner !== null && fragment`and a.owner = ${owner}`,
    before !== null && fragment`and a.id < ${before}`,
  ];
  return await db.query<AiRow>(sql`
    ${selectAi}
    where true ${allOf(asked)}
    order by a.id desc limit ${limit}`);
}

export const nextRestored = fragment`
  select min(suspended_until) from identity.ais where suspended_until is not null and revoked_at is null`;

/** Locks at most `limit` AIs with an expired suspension, skipping rows locked by other transactions. */
export async function lockRestored(tx: Tx, now: Date, limit: number): Promise<AiRow[]> {
  return await tx.query<AiRow>(named('identity_lock_restored')`
    ${selectAi} where a.suspended_until <= ${now} and a.revoked_at is null
    order by a.suspended_until limit ${limit} for no key update of a skip locked`);
}

/** An AI with the address used to look it up, which may be an old one. */
export type AddressedAi = AiRow & { asked: string };

/** The AIs at these addresses, without those switched off. */
export async function findLiveByAddress(
  db: Db,
  addresses: readonly string[],
  now: Date,
): Promise<AddressedAi[]> {
  return await db.query<AddressedAi>(named('identity_find_live_by_address')`
    select named.address as asked, found.*
    from identity.addresses named join (${selectAi}) found on found.id = named.ai
    where named.address = any(${addresses}) and (named.ends_at is null or named.ends_at > ${now})
      and found."revokedAt" is null`);
}

export type NewAi = Omit<
  AiRow,
  | 'descriptionDay'
  | 'descriptionChanges'
  | 'awayUntil'
  | 'awayNote'
  | 'revokedAt'
  | 'suspendedUntil'
  | 'suspendReason'
  | 'ownerSuspendedUntil'
  | 'ownerSuspendReason'
  | 'waitedAt'
  | 'wakesUntil'
  | 'checkedAt'
  | 'ownerMinor'
> & {
  /** null for an AI that cannot be claimed. */
  claimHash: Buffer | null;
};

/** Returns false if an AI with this id exists. */
export async function insertAi(tx: Tx, ai: NewAi): Promise<boolean> {
  const publicKey = ai.publicKey === null ? null : JSON.stringify(ai.publicKey);
  const inserted = await tx.execute(named('identity_insert_ai')`
    insert into identity.ais (id, address, name, platform, owner, owner_private, status, permissions,
      description, public_key, claim_version, claim_hash, claimed_at, claimed_by_link, address_before,
      name_before, group_id, group_app, created_at)
    values (${ai.id}, ${ai.address}, ${ai.name}, ${ai.platform}, ${ai.owner}, ${ai.ownerPrivate},
      ${ai.status}, ${ai.permissions}, ${ai.description}, ${publicKey}, ${ai.claimVersion}, ${ai.claimHash},
      ${ai.claimedAt}, ${ai.claimedByLink}, ${ai.addressBefore}, ${ai.nameBefore}, ${ai.groupId},
      ${ai.groupApp}, ${ai.createdAt})
    on conflict (id) do nothing`);
  return inserted === 1;
}

/** Whether a write failed because another AI in use has this public key. */
export function isPublicKeyTaken(error: unknown): boolean {
  return isUniqueViolation(error, 'ais_public_key');
}
