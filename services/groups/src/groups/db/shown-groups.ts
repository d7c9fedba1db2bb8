import { type Db, fragment, named } from '@hearth/db';
import { type GroupRow, groupColumns, hasMinors } from './groups.ts';

/** The viewer of a group; at most one field is set. */
export interface Viewer {
  /** uuid of a person, who sees their own groups. */
  person: string | null;
  /** uuid of an app that acts for no person, which sees the groups that it made. */
  app: string | null;
  /** uuid of a group, whose AI sees only that group. */
  group: string | null;
}

/** A group by its uuid or its handle. */
export interface GroupRef {
  id: string | null;
  handle: string | null;
}

/** A group with columns that depend on the viewer. */
export interface ShownGroup extends GroupRow {
  has_minors: boolean;
  /** The viewer's role, if the viewer is a person. */
  role: 'organizer' | 'member' | null;
  /** The sort key of a list: when the viewer joined, or the group was created. */
  listed_at: Date;
}

export interface Page {
  /** Whether archived groups are included. */
  archived: boolean;
  now: Date;
  after: { at: Date; id: string } | null;
  limit: number;
}

const notEnded = (now: Date) =>
  fragment`(g.archived_at is null and (g.ends_at is null or g.ends_at > ${now}))`;

const highest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Finds a group, if the viewer may see it. */
export function findShown(db: Db, { id, handle }: GroupRef, viewer: Viewer): Promise<ShownGroup | null> {
  return db.maybeOne<ShownGroup>(named('groups_find_shown')`
    select ${groupColumns}, ${hasMinors}, m.role, coalesce(m.joined_at, g.created_at) as listed_at
    from groups.groups g left join groups.members m on m."group" = g.id and m.person = ${viewer.person}
    where g.id = coalesce(${id}::uuid, (select h.id from groups.groups h where h.handle = ${handle}))
      and (m.person is not null or g.app = ${viewer.app} or g.id = ${viewer.group})`);
}

/** Lists a person's groups, newest membership first. */
export function listOfPerson(
  db: Db,
  person: string,
  { archived, now, after, limit }: Page,
): Promise<ShownGroup[]> {
  const before = after ?? { at: null, id: highest };
  return db.query<ShownGroup>(named('groups_list_of_person')`
    select ${groupColumns}, ${hasMinors}, m.role, m.joined_at as listed_at
    from groups.members m join groups.groups g on g.id = m."group"
    where m.person = ${person} and (${archived} or ${notEnded(now)})
      and (m.joined_at, m."group") < (coalesce(${before.at}::timestamptz, 'infinity'), ${before.id}::uuid)
    order by m.joined_at desc, m."group" desc limit ${limit}`);
}

/** Lists the groups that an app made, newest first. */
export function listOfApp(db: Db, app: string, { archived, now, after, limit }: Page): Promise<ShownGroup[]> {
  const name = archived ? 'groups_list_of_app' : 'groups_list_active_of_app';
  const wanted = archived ? fragment`true` : notEnded(now);
  return db.query<ShownGroup>(named(name)`
    select ${groupColumns}, ${hasMinors}, null as role, g.created_at as listed_at
    from groups.groups g
    where g.app = ${app} and ${wanted} and g.id < ${after?.id ?? highest}::uuid
    order by g.id desc limit ${limit}`);
}

/** The viewer's groups whose name starts with these words, ignoring case; the first `limit` by name. */
export function findNamed(
  db: Db,
  viewer: Viewer,
  words: string,
  { now, limit }: { now: Date; limit: number },
): Promise<ShownGroup[]> {
  return db.query<ShownGroup>(named('groups_find_named')`
    select ${groupColumns}, ${hasMinors}, m.role, coalesce(m.joined_at, g.created_at) as listed_at
    from groups.groups g left join groups.members m on m."group" = g.id and m.person = ${viewer.person}
    where g.id in (
        select "group" from groups.members where person = ${viewer.person}
        union all select id from groups.groups where app = ${viewer.app} or id = ${viewer.group})
      and starts_with(lower(g.name), lower(${words}))
    order by lower(g.name) <> lower(${words}), not ${notEnded(now)}, g.name, g.id
    limit ${limit}`);
}

export interface MembershipRow {
  id: string;
  /** The role of `person`. */
  role: 'organizer' | 'member' | null;
}

/** Finds the role of `person` in a group; null if the viewer may not see the group. */
export function findMembership(
  db: Db,
  { id, handle }: GroupRef,
  viewer: Viewer,
  person: string,
): Promise<MembershipRow | null> {
  return db.maybeOne<MembershipRow>(named('groups_find_membership')`
    select g.id, m.role
    from groups.groups g
      left join groups.members v on v."group" = g.id and v.person = ${viewer.person}
      left join groups.members m on m."group" = g.id and m.person = ${person}
    where g.id = coalesce(${id}::uuid, (select h.id from groups.groups h where h.handle = ${handle}))
      and (v.person is not null or g.app = ${viewer.app} or g.id = ${viewer.group})`);
}
