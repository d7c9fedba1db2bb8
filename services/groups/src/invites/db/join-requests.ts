import type { Db, Tx } from '@hearth/db';

export interface JoinRow {
  invite: string;
  person: string;
  note: string;
  via: 'link' | 'code' | 'invite' | 'app' | 'home';
  asked_at: Date;
  needs_organizer: boolean;
  organizer_at: Date | null;
  organizer: string | null;
  needs_guardian: boolean;
  guardian_at: Date | null;
  guardian: string | null;
  status: 'waiting' | 'joined' | 'declined' | 'withdrawn';
  ended_at: Date | null;
  /** uuid of the join_request approval that asks for the word to come, or did last. */
  approval: string | null;
  /** Why it came to nothing though every word for it was given. */
  why: 'full' | 'cannot_join' | null;
}

const columns = `
  j.invite, j.person, j.note, j.via, j.asked_at, j.needs_organizer, j.organizer_at, j.organizer, j.needs_guardian,
  j.guardian_at, j.guardian, j.status, j.ended_at, j.approval, j.why`;

export function findJoin(db: Db, invite: string, person: string): Promise<JoinRow | null> {
  return db.maybeOne<JoinRow>({
    name: 'groups_find_join',
    text: `select ${columns} from groups.joins j where j.invite = $1 and j.person = $2`,
    values: [invite, person],
  });
}

/** Who waits to join by these invites, the longest waiting first; the first `limit` of each. */
export function listWaiting(db: Db, invites: readonly string[], limit: number): Promise<JoinRow[]> {
  return db.query<JoinRow>({
    name: 'groups_list_waiting',
    text: `
      select ${columns} from unnest($1::uuid[]) as asked (invite) cross join lateral (
        select * from groups.joins w
        where w.invite = asked.invite and w.status = 'waiting'
        order by w.asked_at, w.person limit $2) j
      order by j.asked_at, j.person`,
    values: [invites, limit],
  });
}

/** A wish to join, with the name of the group. */
export type NamedJoin = JoinRow & { group_name: string };

/** Wishes of these people that need a guardian's word, by invites that still work; the longest waiting first. */
export function listNeedingGuardian(
  db: Db,
  people: readonly string[],
  now: Date,
  limit: number,
): Promise<NamedJoin[]> {
  return db.query<NamedJoin>({
    name: 'groups_list_needing_guardian',
    text: `
      select ${columns}, g.name as group_name
      from groups.joins j
        join groups.invites i on i.id = j.invite
        join groups.groups g on g.id = i."group"
      where j.person = any($1) and j.status = 'waiting' and j.needs_guardian
        and i.status in ('waiting', 'approved') and i.expires_at > $2 and g.archived_at is null
      order by j.asked_at, j.invite, j.person limit $3`,
    values: [people, now, limit],
  });
}

/** The last one whose wish by that invite was settled. */
export function findLastSettled(db: Db, invite: string): Promise<JoinRow | null> {
  return db.maybeOne<JoinRow>({
    text: `
      select ${columns} from groups.joins j
      where j.invite = $1 and j.status <> 'waiting' order by j.ended_at desc, j.person limit 1`,
    values: [invite],
  });
}

export async function countWaiting(db: Db, invite: string): Promise<number> {
  const { count } = await db.one<{ count: number }>({
    name: 'groups_count_waiting',
    text: `select count(*)::int as count from groups.joins where invite = $1 and status = 'waiting'`,
    values: [invite],
  });
  return count;
}

/** Writes a wish to join as it stands, in place of an earlier one of the same person by the same invite. */
export async function writeJoin(tx: Tx, join: JoinRow): Promise<void> {
  await tx.execute({
    name: 'groups_write_join',
    text: `
      insert into groups.joins (
        invite, person, note, via, asked_at, needs_organizer, organizer_at, organizer, needs_guardian, guardian_at,
        guardian, status, ended_at, approval, why)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
      on conflict (invite, person) do update set
        note = excluded.note, via = excluded.via, asked_at = excluded.asked_at,
        needs_organizer = excluded.needs_organizer, organizer_at = excluded.organizer_at,
        organizer = excluded.organizer, needs_guardian = excluded.needs_guardian,
        guardian_at = excluded.guardian_at, guardian = excluded.guardian, status = excluded.status,
        ended_at = excluded.ended_at, approval = excluded.approval, why = excluded.why`,
    values: [
      join.invite,
      join.person,
      join.note,
      join.via,
      join.asked_at,
      join.needs_organizer,
      join.organizer_at,
      join.organizer,
      join.needs_guardian,
      join.guardian_at,
      join.guardian,
      join.status,
      join.ended_at,
      join.approval,
      join.why,
    ],
  });
}

/** Ends the wishes of all who wait by an invite that ends; who they are. */
export async function declineWaiting(tx: Tx, invite: string, now: Date): Promise<string[]> {
  const rows = await tx.query<{ person: string }>({
    name: 'groups_decline_waiting',
    text: `
      update groups.joins set status = 'declined', ended_at = $2
      where invite = $1 and status = 'waiting' returning person`,
    values: [invite, now],
  });
  return rows.map(({ person }) => person);
}

/** Forgets what somebody wrote to who reviews. */
export async function clearNotes(tx: Tx, person: string): Promise<void> {
  await tx.execute({
    text: `update groups.joins set note = '' where person = $1 and note <> ''`,
    values: [person],
  });
}

/** The invites by which somebody waits to join, with their groups. */
export function listInvitesWaitedOn(db: Db, person: string): Promise<{ invite: string; group: string }[]> {
  return db.query<{ invite: string; group: string }>({
    text: `
      select j.invite, i."group" from groups.joins j join groups.invites i on i.id = j.invite
      where j.person = $1 and j.status = 'waiting'`,
    values: [person],
  });
}
