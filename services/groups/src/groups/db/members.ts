import type { Db, Tx } from '@hearth/db';

export interface MemberRow {
  group: string;
  person: string;
  role: 'organizer' | 'member';
  joined_at: Date;
  via: Via;
  age_band: AgeBandWord;
  /** uuid of the app that holds them. */
  app: string | null;
  /** uuid of the guardian by whose word they joined. */
  guardian: string | null;
}

/** How somebody came in. */
export type Via = 'link' | 'code' | 'invite' | 'app' | 'home';

export type AgeBandWord = 'adult' | 'teen16' | 'teen13' | 'child';

const columns = `m."group", m.person, m.role, m.joined_at, m.via, m.age_band, m.app, m.guardian`;

export function findMember(db: Db, group: string, person: string): Promise<MemberRow | null> {
  return db.maybeOne<MemberRow>({
    name: 'groups_find_member',
    text: `select ${columns} from groups.members m where m."group" = $1 and m.person = $2`,
    values: [group, person],
  });
}

/** Everybody in it, or those of one role. */
export function listMembers(db: Db, group: string, role: MemberRow['role'] | null): Promise<MemberRow[]> {
  return db.query<MemberRow>({
    name: 'groups_list_members',
    text: `
      select ${columns} from groups.members m
      where m."group" = $1 and ($2::text is null or m.role = $2)`,
    values: [group, role],
  });
}

export function listMinors(db: Db, group: string): Promise<MemberRow[]> {
  return db.query<MemberRow>({
    text: `select ${columns} from groups.members m where m."group" = $1 and m.age_band <> 'adult'`,
    values: [group],
  });
}

export async function insertMember(tx: Tx, member: MemberRow): Promise<void> {
  await tx.execute({
    text: `
      insert into groups.members ("group", person, role, joined_at, via, age_band, app, guardian)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      member.group,
      member.person,
      member.role,
      member.joined_at,
      member.via,
      member.age_band,
      member.app,
      member.guardian,
    ],
  });
}

export async function deleteMember(tx: Tx, group: string, person: string): Promise<void> {
  await tx.execute({
    text: `delete from groups.members where "group" = $1 and person = $2`,
    values: [group, person],
  });
}

/** False when they cannot have that role: organizers are adults. */
export async function setRole(
  tx: Tx,
  group: string,
  person: string,
  role: MemberRow['role'],
): Promise<boolean> {
  const changed = await tx.execute({
    text: `
      update groups.members set role = $3
      where "group" = $1 and person = $2 and ($3 = 'member' or age_band = 'adult')`,
    values: [group, person, role],
  });
  return changed === 1;
}

export async function countMembers(db: Db, group: string): Promise<number> {
  const { count } = await db.one<{ count: number }>({
    text: `select count(*)::int as count from groups.members where "group" = $1`,
    values: [group],
  });
  return count;
}

export async function countOrganizers(db: Db, group: string): Promise<number> {
  const { count } = await db.one<{ count: number }>({
    text: `select count(*)::int as count from groups.members where "group" = $1 and role = 'organizer'`,
    values: [group],
  });
  return count;
}

/** How many groups somebody is in; nobody else counts for the same person until `tx` ends. */
export async function countGroupsOf(tx: Tx, person: string): Promise<number> {
  await tx.query({
    text: `select pg_advisory_xact_lock(hashtextextended('groups of ' || $1, 0))`,
    values: [person],
  });
  const { count } = await tx.one<{ count: number }>({
    text: `select count(*)::int as count from groups.members where person = $1`,
    values: [person],
  });
  return count;
}

/** uuids of the apps that hold its members. */
export async function appsOfMembers(db: Db, group: string): Promise<string[]> {
  const rows = await db.query<{ app: string }>({
    name: 'groups_apps_of_members',
    text: `select distinct app from groups.members where "group" = $1 and app is not null`,
    values: [group],
  });
  return rows.map(({ app }) => app);
}

/** uuid of a group -> uuids of the apps that hold its members. */
export async function appsOfMembersIn(db: Db, groups: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db.query<{ group: string; apps: string[] }>({
    name: 'groups_apps_of_members_in',
    text: `
      select "group", array_agg(distinct app) as apps from groups.members
      where "group" = any($1::uuid[]) and app is not null group by "group"`,
    values: [groups],
  });
  return new Map(rows.map(({ group, apps }) => [group, apps]));
}

/** The adult who has been in it longest, but for `except`. */
export function longestStandingAdult(db: Db, group: string, except: string): Promise<MemberRow | null> {
  return db.maybeOne<MemberRow>({
    text: `
      select ${columns} from groups.members m
      where m."group" = $1 and m.person <> $2 and m.age_band = 'adult'
      order by m.joined_at, m.person limit 1`,
    values: [group, except],
  });
}

/** Writes what identity says of somebody by now into all of their groups; uuids of those that they organize. */
export async function updateFacts(
  tx: Tx,
  person: string,
  { ageBand, app }: { ageBand: AgeBandWord; app: string | null },
): Promise<string[]> {
  const rows = await tx.query<{ group: string; role: MemberRow['role'] }>({
    text: `
      update groups.members set age_band = $2, app = $3
      where person = $1 and (age_band <> $2 or app is distinct from $3 or role = 'organizer')
      returning "group", role`,
    values: [person, ageBand, app],
  });
  return rows.filter(({ role }) => role === 'organizer').map(({ group }) => group);
}
