import { allOf, type Db, fragment, isUniqueViolation, named, sql, type Tx } from '@hearth/db';
/** An AgeBand in lowercase. */
export type StoredAgeBand = 'adult' | 'teen16' | 'teen13' | 'child';

/** A stored person with their guardians. */
export interface PersonRow {
  /** uuid */
  id: string;
  /** Without the @. */
  handle: string;
  name: string;
  /** YYYY-MM, sealed; null if only an age band was given. */
  birth: Buffer | null;
  /** As of the last update: see `bandNow`. */
  ageBand: StoredAgeBand;
  ageSource: string;
  aiShare: boolean;
  guest: boolean;
  /** uuid of the app that holds the account. */
  app: string | null;
  externalId: string | null;
  timeZone: string;
  locale: string;
  /** BCP 47; empty if the person chose none. */
  language: string;
  email: string | null;
  handleChangedAt: Date | null;
  createdAt: Date;
  deletesAt: Date | null;
  deletedAt: Date | null;
  suspendedUntil: Date | null;
  suspendReason: string;
  /** uuids, earliest first. */
  guardians: string[];
}

const selectPerson = fragment`
  select p.id, p.handle, p.name, p.birth, p.age_band as "ageBand", p.age_source as "ageSource",
    p.ai_share as "aiShare", p.guest, p.app, p.external_id as "externalId", p.time_zone as "timeZone", p.locale,
    p.language, p.email, p.handle_changed_at as "handleChangedAt", p.created_at as "createdAt",
    p.deletes_at as "deletesAt", p.deleted_at as "deletedAt",
    p.suspended_until as "suspendedUntil", p.suspend_reason as "suspendReason",
    array(select g.guardian from identity.guardianships g where g.child = p.id order by g.since, g.guardian)
      as guardians
  from identity.people p`;

/** The people with these ids; ids without an account are left out. */
export async function findPeopleByIds(db: Db, ids: readonly string[]): Promise<PersonRow[]> {
  return await db.query<PersonRow>(named('identity_find_people')`
    ${selectPerson} where p.id = any(${ids}) and p.deleted_at is null`);
}

/** A person with the address used to look them up, which may be an old one. */
export type AddressedPerson = PersonRow & { asked: string };

/**
 * The people at these addresses ("@handle"), current or old but still working. The sub-select hides the
 * list's length from the planner, so Postgres keeps one generic plan.
 */
export async function findPeopleByAddresses(
  db: Db,
  addresses: readonly string[],
  now: Date,
): Promise<AddressedPerson[]> {
  return await db.query<AddressedPerson>(named('identity_find_people_by_address')`
    select named.address as asked, found.*
    from identity.addresses named join (${selectPerson}) found on found.id = named.person
    where named.address = any((select ${addresses}::text[])::text[]) and (named.ends_at is null or named.ends_at > ${now})
      and found."deletedAt" is null`);
}

/**
 * Locks the person and their guardians until the end of `tx`; null if there is no account. Locks first and
 * reads afterwards: a statement that waited for the lock would return outdated guardians.
 */
export async function lockPerson(tx: Tx, id: string): Promise<PersonRow | null> {
  const locked = await tx.maybeOne(named('identity_lock_person')`
    select 1 as locked from identity.people where id = ${id} and deleted_at is null for no key update`);
  return locked === null ? null : ((await findPeopleByIds(tx, [id]))[0] ?? null);
}

/** Locks the people with these ids, skipping rows locked by other transactions. */
export async function lockFreePeople(tx: Tx, ids: readonly string[]): Promise<PersonRow[]> {
  const locked = await tx.query<{ id: string }>(named('identity_lock_free_people')`
    select id from identity.people where id = any(${ids}) and deleted_at is null
    order by id for no key update skip locked`);
  return await findPeopleByIds(
    tx,
    locked.map(({ id }) => id),
  );
}

/** The operator's filters; null for any. */
export interface PeopleFilter {
  /** uuid */
  app: string | null;
  guest: boolean | null;
  deleting: boolean | null;
  suspended: boolean | null;
  now: Date;
}

/** All people with an account, newest first. `before` is the last id of the previous page. */
export async function listAllPeople(
  db: Db,
  { app, guest, deleting, suspended, now }: PeopleFilter,
  before: string | null,
  limit: number,
): Promise<PersonRow[]> {
  // Only the requested conditions are in the statement, so that Postgres can choose the right index.
  const asked = [
    app !== null && fragment`and p.app = ${app}`,
    guest !== null && (guest ? fragment`and p.guest` : fragment`and not p.guest`),
    deleting !== null &&
      (deleting ? fragment`and p.deletes_at is not null` : fragment`and p.deletes_at is null`),
    suspended !== null &&
      (suspended
        ? fragment`and p.suspended_until > ${now}`
        : fragment`and (p.suspended_until is null or p.suspended_until <= ${now})`),
    before !== null && fragment`and p.id < ${before}`,
  ];
  return await db.query<PersonRow>(sql`
    ${selectPerson}
    where p.deleted_at is null ${allOf(asked)}
    order by p.id desc limit ${limit}`);
}

export const nextRestoredPerson = fragment`
  select min(suspended_until) from identity.people where suspended_until is not null and deleted_at is null`;

/** Locks at most `limit` people with an expired suspension, skipping rows locked by other transactions. */
export async function lockRestoredPeople(tx: Tx, now: Date, limit: number): Promise<PersonRow[]> {
  const over = await tx.query<{ id: string }>(named('identity_lock_restored_people')`
    select id from identity.people where suspended_until <= ${now} and deleted_at is null
    order by suspended_until limit ${limit} for no key update skip locked`);
  return await findPeopleByIds(
    tx,
    over.map(({ id }) => id),
  );
}

/** People under 18 with a known birth, ordered by id. */
export async function listMinorsWithBirth(db: Db, after: string | null, limit: number): Promise<PersonRow[]> {
  return await db.query<PersonRow>(named('identity_list_minors_with_birth')`
    ${selectPerson}
    where p.age_band <> 'adult' and p.deleted_at is null and p.birth is not null and (${after}::uuid is null
      or p.id > ${after})
    order by p.id limit ${limit}`);
}

/** Locks the wards of a guardian that the caller has locked. */
export async function lockChildrenOf(tx: Tx, guardian: string): Promise<PersonRow[]> {
  const locked = await tx.query<{ id: string }>(named('identity_lock_children_of')`
    select id from identity.people
    where id in (select child from identity.guardianships where guardian = ${guardian}) and deleted_at is null
    order by id for no key update`);
  return await findPeopleByIds(
    tx,
    locked.map(({ id }) => id),
  );
}

export type NewPerson = Pick<
  PersonRow,
  | 'id'
  | 'handle'
  | 'name'
  | 'birth'
  | 'ageBand'
  | 'ageSource'
  | 'guest'
  | 'app'
  | 'externalId'
  | 'timeZone'
  | 'locale'
  | 'language'
  | 'createdAt'
>;

/** Returns false if a person with this id exists; see `externalIdTaken` for the other conflict. */
export async function insertPerson(tx: Tx, person: NewPerson): Promise<boolean> {
  const inserted = await tx.execute(named('identity_insert_person')`
    insert into identity.people (id, handle, name, birth, age_band, age_source, guest, app, external_id,
      time_zone, locale, language, created_at)
    values (${person.id}, ${person.handle}, ${person.name}, ${person.birth}, ${person.ageBand},
      ${person.ageSource}, ${person.guest}, ${person.app}, ${person.externalId}, ${person.timeZone},
      ${person.locale}, ${person.language}, ${person.createdAt})
    on conflict (id) do nothing`);
  return inserted === 1;
}

/** Whether a write failed because the app already uses this external id. */
export function externalIdTaken(error: unknown): boolean {
  return isUniqueViolation(error, 'people_app_external_id_key');
}

/** uuid of the person with this external id in the app. */
export async function findByExternalId(db: Db, app: string, externalId: string): Promise<string | null> {
  const row = await db.maybeOne<{ id: string }>(sql`
    select id from identity.people where app = ${app} and external_id = ${externalId}`);
  return row?.id ?? null;
}

export type PersonColumns = Pick<
  PersonRow,
  | 'handle'
  | 'name'
  | 'ageBand'
  | 'aiShare'
  | 'guest'
  | 'app'
  | 'externalId'
  | 'timeZone'
  | 'language'
  | 'handleChangedAt'
  | 'suspendedUntil'
  | 'suspendReason'
>;

/** Writes the columns of a person that can change. */
export async function updatePersonRow(tx: Tx, id: string, to: PersonColumns): Promise<void> {
  await tx.execute(named('identity_update_person')`
    update identity.people
    set handle = ${to.handle}, name = ${to.name}, age_band = ${to.ageBand}, ai_share = ${to.aiShare},
      guest = ${to.guest}, app = ${to.app}, external_id = ${to.externalId}, time_zone = ${to.timeZone},
      language = ${to.language}, handle_changed_at = ${to.handleChangedAt}, suspended_until = ${to.suspendedUntil},
      suspend_reason = ${to.suspendReason}
    where id = ${id} and deleted_at is null`);
}

/** Schedules the account's deletion; null cancels it. */
export async function updateDeletesAt(tx: Tx, id: string, deletesAt: Date | null): Promise<void> {
  await tx.execute(
    sql`update identity.people set deletes_at = ${deletesAt} where id = ${id} and deleted_at is null`,
  );
}

export const nextDeletion = fragment`
  select min(deletes_at) from identity.people where deletes_at is not null and deleted_at is null`;

/** Accounts that are due for deletion, longest overdue first. */
export async function listDue(
  db: Db,
  now: Date,
  after: { deletesAt: Date; id: string } | null,
  limit: number,
): Promise<{ id: string; deletesAt: Date }[]> {
  return await db.query<{ id: string; deletesAt: Date }>({
    name: 'identity_list_due_deletions',
    text: `
      select id, deletes_at as "deletesAt" from identity.people
      where deletes_at <= $1 and deleted_at is null
        and ($2::timestamptz is null or (deletes_at, id) > ($2, $3::uuid))
      order by deletes_at, id limit $4`,
    values: [now, after?.deletesAt ?? null, after?.id ?? null, limit],
  });
}

/** Clears the identifying columns of an account that ends. The handle stays, so that no one else gets it. */
export async function clearPerson(tx: Tx, id: string, name: string, now: Date): Promise<void> {
  await tx.execute(sql`
    update identity.people
    set name = ${name}, birth = null, email = null, external_id = null, app = null, ai_share = false, locale = '',
      language = '', time_zone = 'UTC', away_until = null, away_note = '', age_source = '', deleted_at = ${now}
    where id = ${id} and deleted_at is null`);
}
