import { type Db, fragment, named, sql, type Tx } from '@hearth/db';
import type { Settings } from '../domain/settings.ts';

export interface GroupRow extends Settings {
  id: string;
  handle: string;
  name: string;
  group_ai: string;
  created_by: string | null;
  /** uuid; empty if a person made it without an app. */
  app: string;
  parent: string | null;
  time_zone: string;
  ends_at: Date | null;
  archived_at: Date | null;
  archived_why: 'ended' | 'organizer_left' | 'organizer_archived' | null;
  archived_by: string | null;
  seq: number;
  created_at: Date;
}

/** The columns that an organizer can set. */
export type Settled = Settings & Pick<GroupRow, 'name' | 'time_zone' | 'ends_at'>;

export type ArchiveReason = NonNullable<GroupRow['archived_why']>;

export const groupColumns = fragment`
  g.id, g.handle, g.name, g.group_ai, g.created_by, coalesce(g.app::text, '') as app, g.parent, g.minors, g.consent_age, g.join_review,
  g.group_ai_runs, g.plans, g.time_zone, g.ends_at, g.archived_at, g.archived_why, g.archived_by, g.seq, g.created_at`;

/** Whether a member of g is under 18, and whether one is remote. */
export const hasMinors = fragment`
  exists (select 1 from groups.members o where o."group" = g.id and o.age_band <> 'adult') as has_minors,
  exists (select 1 from groups.members o where o."group" = g.id and o.home is not null) as elsewhere`;

/** Locks the group until `tx` ends; every change of the group or its members does this first. */
export function lockGroup(tx: Tx, id: string): Promise<GroupRow | null> {
  return tx.maybeOne<GroupRow>(named('groups_lock')`
    select ${groupColumns} from groups.groups g where g.id = ${id} for update`);
}

export async function insertGroup(tx: Tx, group: GroupRow): Promise<void> {
  await tx.execute(sql`
    insert into groups.groups (
      id, handle, name, group_ai, created_by, app, parent, minors, consent_age, join_review, group_ai_runs, plans,
      time_zone, ends_at, seq, created_at)
    values (
      ${group.id}, ${group.handle}, ${group.name}, ${group.group_ai}, ${group.created_by}, ${group.app || null},
      ${group.parent}, ${group.minors}, ${group.consent_age}, ${group.join_review}, ${group.group_ai_runs},
      ${group.plans}, ${group.time_zone}, ${group.ends_at}, ${group.seq}, ${group.created_at})`);
}

/** Counts a change of membership and returns the group's new seq. */
export async function raiseSeq(tx: Tx, id: string): Promise<number> {
  const { seq } = await tx.one<{ seq: number }>(named('groups_raise_seq')`
    update groups.groups set seq = seq + 1 where id = ${id} returning seq`);
  return seq;
}

/** Writes the changeable columns. */
export async function updateGroup(tx: Tx, group: GroupRow): Promise<void> {
  await tx.execute(sql`
    update groups.groups set
      name = ${group.name}, minors = ${group.minors}, consent_age = ${group.consent_age},
      join_review = ${group.join_review}, group_ai_runs = ${group.group_ai_runs}, plans = ${group.plans},
      time_zone = ${group.time_zone}, ends_at = ${group.ends_at}, archived_at = ${group.archived_at},
      archived_why = ${group.archived_why}, archived_by = ${group.archived_by}, seq = ${group.seq}
    where id = ${group.id}`);
}

/** Clears the person as creator of their groups. */
export async function forgetCreator(tx: Tx, person: string): Promise<void> {
  await tx.execute(sql`update groups.groups set created_by = null where created_by = ${person}`);
}

export const nextEnd = fragment`
  select min(ends_at) from groups.groups where ends_at is not null and archived_at is null`;

/** Locks up to `limit` groups whose end has come, skipping rows locked elsewhere. */
export function lockEnded(tx: Tx, now: Date, limit: number): Promise<GroupRow[]> {
  return tx.query<GroupRow>(named('groups_lock_ended')`
    select ${groupColumns} from groups.groups g
    where g.ends_at <= ${now} and g.archived_at is null
    order by g.ends_at limit ${limit} for update skip locked`);
}

/** Deletes the group and its invites; its handle stays taken. */
export async function deleteGroup(tx: Tx, id: string): Promise<void> {
  await tx.execute(sql`delete from groups.groups where id = ${id}`);
}

export interface GroupFactsRow extends GroupRow {
  has_minors: boolean;
  /** Whether it has members of other homes. */
  elsewhere: boolean;
}

/** Finds groups by uuid or handle, in no order. */
export function findGroups(
  db: Db,
  ids: readonly string[],
  handles: readonly string[],
): Promise<GroupFactsRow[]> {
  return db.query<GroupFactsRow>(named('groups_find')`
    select ${groupColumns}, ${hasMinors}
    from groups.groups g where g.id = any(${ids}::uuid[]) or g.handle = any(${handles}::text[])`);
}
