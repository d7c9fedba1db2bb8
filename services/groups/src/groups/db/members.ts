import { type Db, fragment, lockName, named, sql, type Tx } from '@hearth/db';
import type { AgeBandName } from '../../shared/domain/enum-names.ts';

export interface MemberRow {
  group: string;
  person: string;
  role: 'organizer' | 'member';
  joined_at: Date;
  via: Via;
  age_band: AgeBandName;
  /** uuid of the app that holds the person. */
  app: string | null;
  /** uuid of the guardian who agreed to the membership. */
  guardian: string | null;
  /** The home of a remote person; null for a local one. */
  home: string | null;
}

/** How a member joined. */
export type Via = 'link' | 'code' | 'invite' | 'app' | 'home';

const columns = fragment`m."group", m.person, m.role, m.joined_at, m.via, m.age_band, m.app, m.guardian, m.home`;

export function findMember(db: Db, group: string, person: string): Promise<MemberRow | null> {
  return db.maybeOne<MemberRow>(named('groups_find_member')`
    select ${columns} from groups.members m where m."group" = ${group} and m.person = ${person}`);
}

/** The members among these persons, in any order. */
export function findMembers(db: Db, group: string, persons: readonly string[]): Promise<MemberRow[]> {
  return db.query<MemberRow>(named('groups_find_members')`
    select ${columns} from groups.members m where m."group" = ${group}
      and m.person = any(${persons}::uuid[])`);
}

/** Lists all members, or those with one role. */
export function listMembers(db: Db, group: string, role: MemberRow['role'] | null): Promise<MemberRow[]> {
  return db.query<MemberRow>(named('groups_list_members')`
    select ${columns} from groups.members m
    where m."group" = ${group} and (${role}::text is null or m.role = ${role})`);
}

/** The longest-standing members, at most `limit`. */
export function listRoster(
  db: Db,
  group: string,
  limit: number,
): Promise<Pick<MemberRow, 'person' | 'role'>[]> {
  return db.query(named('groups_list_roster')`
    select m.person, m.role from groups.members m
    where m."group" = ${group} order by m.joined_at, m.person limit ${limit}`);
}

export function listMinors(db: Db, group: string): Promise<MemberRow[]> {
  return db.query<MemberRow>(sql`
    select ${columns} from groups.members m where m."group" = ${group} and m.age_band <> 'adult'`);
}

export async function insertMember(tx: Tx, member: MemberRow): Promise<void> {
  const { group, person, role, joined_at, via, age_band, app, guardian, home } = member;
  await tx.execute(sql`
    insert into groups.members ("group", person, role, joined_at, via, age_band, app, guardian, home)
    values (${group}, ${person}, ${role}, ${joined_at}, ${via}, ${age_band}, ${app}, ${guardian}, ${home})`);
}

export async function deleteMember(tx: Tx, group: string, person: string): Promise<void> {
  await tx.execute(sql`delete from groups.members where "group" = ${group} and person = ${person}`);
}

/** Sets the role; false if the member cannot have it, since organizers are adults. */
export async function setRole(
  tx: Tx,
  group: string,
  person: string,
  role: MemberRow['role'],
): Promise<boolean> {
  const changed = await tx.execute(sql`
    update groups.members set role = ${role}
    where "group" = ${group} and person = ${person} and (${role} = 'member' or age_band = 'adult')`);
  return changed === 1;
}

export async function countMembers(db: Db, group: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from groups.members where "group" = ${group}`);
  return count;
}

export async function countOrganizers(db: Db, group: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from groups.members where "group" = ${group} and role = 'organizer'`);
  return count;
}

/** Counts the groups that a person is in. Until `tx` ends, no other transaction counts for the same person. */
export async function countGroupsOf(tx: Tx, person: string): Promise<number> {
  await lockName(tx, `groups.members ${person}`);
  const { count } = await tx.one<{ count: number }>(sql`
    select count(*)::int as count from groups.members where person = ${person}`);
  return count;
}

/** Whether the group has a remote member. */
export async function hasElsewhere(db: Db, group: string): Promise<boolean> {
  const row = await db.maybeOne(named('groups_has_elsewhere')`
    select true from groups.members where "group" = ${group} and home is not null limit 1`);
  return row !== null;
}

/** How many members other homes receive, remote members first. */
export const mostTold = 100;

export async function countElsewhere(db: Db, group: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(named('groups_count_elsewhere')`
    select count(*)::int as count from groups.members where "group" = ${group} and home is not null`);
  return count;
}

/** uuids of the person's groups that have remote members. */
export async function listToldOf(db: Db, person: string): Promise<string[]> {
  const rows = await db.query<{ group: string }>(named('groups_list_told_of')`
    select m."group" from groups.members m where m.person = ${person} and exists (
      select from groups.members o where o."group" = m."group" and o.home is not null)`);
  return rows.map(({ group }) => group);
}

/** The longest-standing adults, at most `limit`, with all remote members among them. */
export function listTold(db: Db, group: string, limit: number): Promise<MemberRow[]> {
  return db.query<MemberRow>(named('groups_list_told')`
    select ${columns} from groups.members m where m."group" = ${group} and m.age_band = 'adult'
    order by m.home is null, m.joined_at, m.person limit ${limit}`);
}

/** uuids of the apps that hold the group's members. */
export async function appsOfMembers(db: Db, group: string): Promise<string[]> {
  const rows = await db.query<{ app: string }>(named('groups_apps_of_members')`
    select distinct app from groups.members where "group" = ${group} and app is not null`);
  return rows.map(({ app }) => app);
}

/** Maps each group's uuid to the uuids of the apps that hold its members. */
export async function appsOfMembersIn(db: Db, groups: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db.query<{ group: string; apps: string[] }>(named('groups_apps_of_members_in')`
    select "group", array_agg(distinct app) as apps from groups.members
    where "group" = any(${groups}::uuid[]) and app is not null group by "group"`);
  return new Map(rows.map(({ group, apps }) => [group, apps]));
}

/** The longest-standing local adult except `except`. */
export function longestStandingAdult(db: Db, group: string, except: string): Promise<MemberRow | null> {
  return db.maybeOne<MemberRow>(sql`
    select ${columns} from groups.members m
    where m."group" = ${group} and m.person <> ${except} and m.age_band = 'adult' and m.home is null
    order by m.joined_at, m.person limit 1`);
}

/** Writes a person's current facts into their memberships; returns the uuids of the groups that they organize. */
export async function updateFacts(
  tx: Tx,
  person: string,
  { ageBand, app }: { ageBand: AgeBandName; app: string | null },
): Promise<string[]> {
  const rows = await tx.query<{ group: string; role: MemberRow['role'] }>(sql`
    update groups.members set age_band = ${ageBand}, app = ${app}
    where person = ${person} and (age_band <> ${ageBand} or app is distinct from ${app} or role = 'organizer')
    returning "group", role`);
  return rows.filter(({ role }) => role === 'organizer').map(({ group }) => group);
}
