import type { Db, Tx } from '@hearth/db';

export interface GroupRow {
  id: string;
  handle: string;
  name: string;
  group_ai: string;
  created_by: string | null;
  app: string;
  parent: string | null;
  minors: 'no' | 'guardian' | 'teens';
  consent_age: number;
  join_review: 'none' | 'minors' | 'all';
  group_ai_runs: boolean;
  plans: 'allow' | 'ask' | 'never';
  time_zone: string;
  ends_at: Date | null;
  archived_at: Date | null;
  archived_why: 'ended' | 'organizer_left' | 'organizer_archived' | null;
  archived_by: string | null;
  seq: number;
  created_at: Date;
}

/** What an organizer settles. */
export type Settled = Pick<
  GroupRow,
  'name' | 'minors' | 'consent_age' | 'join_review' | 'group_ai_runs' | 'plans' | 'time_zone' | 'ends_at'
>;

export type ArchiveReason = NonNullable<GroupRow['archived_why']>;

export const groupColumns = `
  g.id, g.handle, g.name, g.group_ai, g.created_by, g.app, g.parent, g.minors, g.consent_age, g.join_review,
  g.group_ai_runs, g.plans, g.time_zone, g.ends_at, g.archived_at, g.archived_why, g.archived_by, g.seq, g.created_at`;

/** The group for as long as `tx` lasts: whatever changes it or its members locks it first. */
export function lockGroup(tx: Tx, id: string): Promise<GroupRow | null> {
  return tx.maybeOne<GroupRow>({
    name: 'groups_lock',
    text: `select ${groupColumns} from groups.groups g where g.id = $1 for update`,
    values: [id],
  });
}

export async function insertGroup(
  tx: Tx,
  group: Omit<GroupRow, 'archived_at' | 'archived_why' | 'archived_by' | 'seq'>,
): Promise<GroupRow> {
  return await tx.one<GroupRow>({
    text: `
      insert into groups.groups as g (
        id, handle, name, group_ai, created_by, app, parent, minors, consent_age, join_review, group_ai_runs, plans,
        time_zone, ends_at, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
      returning ${groupColumns}`,
    values: [
      group.id,
      group.handle,
      group.name,
      group.group_ai,
      group.created_by,
      group.app,
      group.parent,
      group.minors,
      group.consent_age,
      group.join_review,
      group.group_ai_runs,
      group.plans,
      group.time_zone,
      group.ends_at,
      group.created_at,
    ],
  });
}

/** Counts a change of its members; the group's new seq. */
export async function raiseSeq(tx: Tx, id: string): Promise<number> {
  const { seq } = await tx.one<{ seq: number }>({
    name: 'groups_raise_seq',
    text: `update groups.groups set seq = seq + 1 where id = $1 returning seq`,
    values: [id],
  });
  return seq;
}

export async function settleGroup(tx: Tx, id: string, settled: Settled): Promise<GroupRow> {
  return await tx.one<GroupRow>({
    text: `
      update groups.groups g set
        name = $2, minors = $3, consent_age = $4, join_review = $5, group_ai_runs = $6, plans = $7, time_zone = $8,
        ends_at = $9, seq = seq + 1
      where g.id = $1 returning ${groupColumns}`,
    values: [
      id,
      settled.name,
      settled.minors,
      settled.consent_age,
      settled.join_review,
      settled.group_ai_runs,
      settled.plans,
      settled.time_zone,
      settled.ends_at,
    ],
  });
}

/** @param by uuid of the person who may restore it; null when nobody can */
export async function archiveGroup(
  tx: Tx,
  id: string,
  { why, by, at }: { why: ArchiveReason; by: string | null; at: Date },
): Promise<GroupRow> {
  return await tx.one<GroupRow>({
    text: `
      update groups.groups g set
        archived_at = $2, archived_why = $3, archived_by = $4, seq = seq + 1,
        ends_at = case when $3 = 'ended' then least(g.ends_at, $2) else g.ends_at end
      where g.id = $1 returning ${groupColumns}`,
    values: [id, at, why, by],
  });
}

export async function unarchiveGroup(tx: Tx, id: string): Promise<GroupRow> {
  return await tx.one<GroupRow>({
    text: `
      update groups.groups g set archived_at = null, archived_why = null, archived_by = null, seq = seq + 1
      where g.id = $1 returning ${groupColumns}`,
    values: [id],
  });
}

/** Forgets who made these groups. */
export async function forgetCreator(tx: Tx, person: string): Promise<void> {
  await tx.execute({
    text: `update groups.groups set created_by = null where created_by = $1`,
    values: [person],
  });
}

/** Locks groups whose end has come and that nobody else has in hand, at most `limit`. */
export function lockEnded(tx: Tx, now: Date, limit: number): Promise<GroupRow[]> {
  return tx.query<GroupRow>({
    name: 'groups_lock_ended',
    text: `
      select ${groupColumns} from groups.groups g
      where g.ends_at <= $1 and g.archived_at is null
      order by g.ends_at limit $2 for update skip locked`,
    values: [now, limit],
  });
}

/** Its invites go with it; its handle stays taken. */
export async function deleteGroup(tx: Tx, id: string): Promise<void> {
  await tx.execute({ text: `delete from groups.groups where id = $1`, values: [id] });
}

export interface GroupFactsRow extends GroupRow {
  has_minors: boolean;
}

/** Groups by uuid or handle, in no order. */
export function findGroups(
  db: Db,
  ids: readonly string[],
  handles: readonly string[],
): Promise<GroupFactsRow[]> {
  return db.query<GroupFactsRow>({
    name: 'groups_find',
    text: `
      select ${groupColumns},
        exists (select 1 from groups.members o where o."group" = g.id and o.age_band <> 'adult') as has_minors
      from groups.groups g where g.id = any($1::uuid[]) or g.handle = any($2::text[])`,
    values: [ids, handles],
  });
}
