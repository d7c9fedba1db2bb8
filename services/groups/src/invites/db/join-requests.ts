import { type Db, fragment, named, sql, type Tx } from '@hearth/db';
import type { Via } from '../../groups/module.ts';
import type { AgeRules } from '../../shared/domain/fits.ts';
import type { NoEntry } from '../domain/invite-state.ts';
import type { JoinProgress, JoinStatus } from '../domain/join-state.ts';

/** A row of `joins`: a person's request to join a group by an invite. */
export interface JoinRequest extends JoinProgress {
  invite: string;
  person: string;
  note: string;
  via: Via;
  asked_at: Date;
  organizer: string | null;
  guardian: string | null;
  status: JoinStatus;
  ended_at: Date | null;
  /** uuid of the open approval, or the last one. */
  approval: string | null;
  /** Why it failed although every approver agreed. */
  why: NoEntry | null;
}

const columns = fragment`
  j.invite, j.person, j.note, j.via, j.asked_at, j.needs_organizer, j.organizer_at, j.organizer, j.needs_guardian,
  j.guardian_at, j.guardian, j.status, j.ended_at, j.approval, j.why`;

export function findJoinRequest(db: Db, invite: string, person: string): Promise<JoinRequest | null> {
  return db.maybeOne<JoinRequest>(named('groups_find_join')`
    select ${columns} from groups.joins j where j.invite = ${invite} and j.person = ${person}`);
}

/** Pending join requests of these invites, longest waiting first; at most `limit` per invite. */
export function listWaiting(db: Db, invites: readonly string[], limit: number): Promise<JoinRequest[]> {
  return db.query<JoinRequest>(named('groups_list_waiting')`
    select ${columns} from unnest(${invites}::uuid[]) as asked (invite) cross join lateral (
      select * from groups.joins w
      where w.invite = asked.invite and w.status = 'waiting'
      order by w.asked_at, w.person limit ${limit}) j
    order by j.asked_at, j.person`);
}

/** A join request with the group's name and age rules. */
export type NamedJoinRequest = JoinRequest & AgeRules & { group_name: string };

/** Pending join requests of these people by open invites, longest waiting first. */
export function listWaitingOf(
  db: Db,
  people: readonly string[],
  now: Date,
  limit: number,
): Promise<NamedJoinRequest[]> {
  return db.query<NamedJoinRequest>(named('groups_list_waiting_of')`
    select ${columns}, g.name as group_name, g.minors, g.consent_age
    from groups.joins j
      join groups.invites i on i.id = j.invite
      join groups.groups g on g.id = i."group"
    where j.person = any(${people}) and j.status = 'waiting'
      and i.status in ('waiting', 'approved') and i.expires_at > ${now} and g.archived_at is null
    order by j.asked_at, j.invite, j.person limit ${limit}`);
}

/** The most recently settled join request of the invite. */
export function findLastSettled(db: Db, invite: string): Promise<JoinRequest | null> {
  return db.maybeOne<JoinRequest>(sql`
    select ${columns} from groups.joins j
    where j.invite = ${invite} and j.status <> 'waiting' order by j.ended_at desc, j.person limit 1`);
}

export async function countWaiting(db: Db, invite: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(named('groups_count_waiting')`
    select count(*)::int as count from groups.joins where invite = ${invite} and status = 'waiting'`);
  return count;
}

/** Inserts the join request, replacing the same person's earlier one by the same invite. */
export async function writeJoinRequest(tx: Tx, join: JoinRequest): Promise<void> {
  await tx.execute(named('groups_write_join')`
    insert into groups.joins (
      invite, person, note, via, asked_at, needs_organizer, organizer_at, organizer, needs_guardian, guardian_at,
      guardian, status, ended_at, approval, why)
    values (
      ${join.invite}, ${join.person}, ${join.note}, ${join.via}, ${join.asked_at}, ${join.needs_organizer},
      ${join.organizer_at}, ${join.organizer}, ${join.needs_guardian}, ${join.guardian_at}, ${join.guardian},
      ${join.status}, ${join.ended_at}, ${join.approval}, ${join.why})
    on conflict (invite, person) do update set
      note = excluded.note, via = excluded.via, asked_at = excluded.asked_at,
      needs_organizer = excluded.needs_organizer, organizer_at = excluded.organizer_at,
      organizer = excluded.organizer, needs_guardian = excluded.needs_guardian,
      guardian_at = excluded.guardian_at, guardian = excluded.guardian, status = excluded.status,
      ended_at = excluded.ended_at, approval = excluded.approval, why = excluded.why`);
}

/** Declines the pending join requests of an invite that ends; returns the uuids of their people. */
export async function declineWaiting(tx: Tx, invite: string, now: Date): Promise<string[]> {
  const rows = await tx.query<{ person: string }>(named('groups_decline_waiting')`
    update groups.joins set status = 'declined', ended_at = ${now}
    where invite = ${invite} and status = 'waiting' returning person`);
  return rows.map(({ person }) => person);
}

/** Join requests into a group that have been pending since that time or earlier. */
export function listWaitingIn(
  db: Db,
  group: string,
  at: Date,
): Promise<{ invite: string; person: string }[]> {
  return db.query<{ invite: string; person: string }>(named('groups_list_waiting_in')`
    select j.invite, j.person from groups.joins j join groups.invites i on i.id = j.invite
    where i."group" = ${group} and j.status = 'waiting' and j.asked_at <= ${at}`);
}

/** Deletes a person's notes to approvers. */
export async function clearNotes(tx: Tx, person: string): Promise<void> {
  await tx.execute(sql`update groups.joins set note = '' where person = ${person} and note <> ''`);
}

/** The invites with a person's pending join requests, and their groups. */
export function listInvitesWaitedOn(db: Db, person: string): Promise<{ invite: string; group: string }[]> {
  return db.query<{ invite: string; group: string }>(sql`
    select j.invite, i."group" from groups.joins j join groups.invites i on i.id = j.invite
    where j.person = ${person} and j.status = 'waiting'`);
}
