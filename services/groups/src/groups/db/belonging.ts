import { type Db, named } from '@hearth/db';
import { type GroupFactsRow, groupColumns, hasMinors } from './groups.ts';
import type { MemberRow } from './members.ts';
import type { GroupRef } from './shown-groups.ts';

/** A group and one person's membership in it. */
export interface BelongingRow {
  id: string;
  handle: string;
  name: string;
  ends_at: Date | null;
  archived_at: Date | null;
  role: MemberRow['role'];
  joined_at: Date;
}

/** Lists all groups of a person, archived ones included, newest membership first. */
export function listBelonging(db: Db, person: string): Promise<BelongingRow[]> {
  return db.query<BelongingRow>(named('groups_list_belonging')`
    select g.id, g.handle, g.name, g.ends_at, g.archived_at, m.role, m.joined_at
    from groups.members m join groups.groups g on g.id = m."group"
    where m.person = ${person} order by m.joined_at desc, m."group" desc`);
}

/** How many shared groups are listed for a pair of people. */
const mostShared = 20;

/** For each pair, the groups that both are in, without archived groups. */
export async function shareGroups(
  db: Db,
  ones: readonly string[],
  others: readonly string[],
  now: Date,
): Promise<string[][]> {
  const rows = await db.query<{ shared: string[] }>(named('groups_share')`
    select array(
      select a."group" from groups.members a
        join groups.members b on b."group" = a."group" and b.person = p.other
        join groups.groups g on g.id = a."group"
      where a.person = p.one and g.archived_at is null and (g.ends_at is null or g.ends_at > ${now})
      limit ${mostShared}) as shared
    from unnest(${ones}::uuid[], ${others}::uuid[]) with ordinality as p (one, other, n)
    order by p.n`);
  return rows.map(({ shared }) => shared);
}

/** A group as one member sees it. */
export type Belonging = GroupFactsRow & {
  role: MemberRow['role'];
  /** The longest-standing members, up to the wanted number. */
  roster: Pick<MemberRow, 'person' | 'role'>[];
};

export interface BelongingWanted {
  ref: GroupRef;
  person: string;
  roster: number;
}

/** For each request, the group with the person's role; null if they are not a member. */
export async function findBelongings(
  db: Db,
  wanted: readonly BelongingWanted[],
): Promise<(Belonging | null)[]> {
  const rows = await db.query<Belonging & { nth: number }>(named('groups_find_belongings')`
    select ${groupColumns}, m.role, ${hasMinors}, w.nth::int as nth, (
      select coalesce(json_agg(first), '[]')
      from (
        select r.person, r.role from groups.members r
        where r."group" = g.id order by r.joined_at, r.person limit w.roster) first) as roster
    from unnest(
      ${wanted.map(({ ref }) => ref.id)}::uuid[],
      ${wanted.map(({ ref }) => ref.handle)}::text[],
      ${wanted.map(({ person }) => person)}::uuid[],
      ${wanted.map(({ roster }) => roster)}::int[]) with ordinality as w (id, handle, person, roster, nth)
    join groups.groups g on g.id = coalesce(w.id, (select h.id from groups.groups h where h.handle = w.handle))
    join groups.members m on m."group" = g.id and m.person = w.person`);
  const found = new Map(rows.map((row) => [row.nth, row]));
  return wanted.map((_, index) => found.get(index + 1) ?? null);
}
