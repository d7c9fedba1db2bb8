import { type Db, type Fragment, fragment, named, raw, sql, type Tx } from '@hearth/db';
import { mostOf, placeValues } from '@hearth/paging';
import type { AgeBandName } from '../../shared/domain/enum-names.ts';
import type { InviteProgress } from '../domain/invite-state.ts';

export type InviteDelivery = 'delivered' | 'requested' | 'front_door' | 'declined';

export interface InviteRow extends InviteProgress {
  id: string;
  group: string;
  /** At least one. */
  for_ages: readonly AgeBandName[];
  invitee: string;
  /** uuid of the recipient, if known. */
  to_person: string | null;
  /** The recipient's home, if remote. */
  home: string | null;
  item_ref: string;
  created_by_kind: 'person' | 'ai';
  created_by: string;
  /** uuid of the organizer responsible for it. */
  created_by_person: string;
  created_by_name: string;
  /** uuid of the app that created it. */
  app: string | null;
  /** How it reached its recipient; null without a local recipient. */
  delivery: InviteDelivery | null;
  /** uuid of the AI at the front door, or of the guardian, who holds it for the recipient. */
  holder: string | null;
  /** The AI's note when it passed the invite on. */
  passed_note: string;
  expires_at: Date;
  created_at: Date;
}

export const inviteColumns = fragment`
  i.id, i."group", i.reusable, coalesce(i.for_ages, array[i.for_age]) as for_ages, i.invitee, i.to_person, i.home, i.item_ref, i.created_by_kind, i.created_by,
  i.created_by_person, i.created_by_name, i.app, i.delivery, i.holder, i.passed_note, i.status, i.why, i.uses,
  i.max_uses, i.expires_at, i.created_at`;

export async function insertInvite(tx: Tx, invite: InviteRow, codeHash: Buffer): Promise<void> {
  await tx.execute(named('groups_insert_invite')`
    insert into groups.invites (
      id, "group", code_hash, reusable, for_age, for_ages, invitee, to_person, home, item_ref, created_by_kind, created_by,
      created_by_person, created_by_name, app, delivery, holder, status, why, max_uses, expires_at, created_at)
    values (
      ${invite.id}, ${invite.group}, ${codeHash}, ${invite.reusable}, ${invite.for_ages[0]}, ${invite.for_ages}, ${invite.invitee},
      ${invite.to_person}, ${invite.home}, ${invite.item_ref}, ${invite.created_by_kind}, ${invite.created_by},
      ${invite.created_by_person}, ${invite.created_by_name}, ${invite.app}, ${invite.delivery}, ${invite.holder},
      ${invite.status}, ${invite.why}, ${invite.max_uses}, ${invite.expires_at}, ${invite.created_at})`);
}

export function findInviteByCode(db: Db, codeHash: Buffer): Promise<InviteRow | null> {
  return db.maybeOne<InviteRow>(named('groups_find_invite_by_code')`
    select ${inviteColumns} from groups.invites i where i.code_hash = ${codeHash}`);
}

export function findInvite(db: Db, id: string): Promise<InviteRow | null> {
  return db.maybeOne<InviteRow>(named('groups_find_invite')`
    select ${inviteColumns} from groups.invites i where i.id = ${id}`);
}

/**
 * Detaches open invites from these people (uuids) of another home, which receives no more state; returns the
 * invites.
 */
export function takeFromParties(tx: Tx, parties: readonly string[], before: Date): Promise<InviteRow[]> {
  return tx.query<InviteRow>(named('groups_take_from_parties')`
    update groups.invites i set home = null
    where i.to_person = any(${parties}::uuid[]) and i.created_at <= ${before}
      and i.status in ('waiting', 'approved')
    returning ${inviteColumns}`);
}

/** uuids of the invites to people of other homes, made until `until`, that show a group or a person (uuid). */
export async function listToldOfInvites(
  db: Db,
  { group = null, person = null }: { group?: string | null; person?: string | null },
  until: Date,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(named('groups_list_told_of_invites')`
    select id from groups.invites
    where home is not null and created_at <= ${until} and ("group" = ${group} or to_person = ${person} or created_by_person = ${person})`);
  return rows.map(({ id }) => id);
}

/**
 * Invites into a group that the person can still use: one-time invites sent to them, and invites with their
 * pending join requests.
 */
export function listOpenFor(
  db: Db,
  { group, person }: { group: string; person: string },
): Promise<Pick<InviteRow, 'id' | 'group'>[]> {
  return db.query<Pick<InviteRow, 'id' | 'group'>>(named('groups_list_open_for')`
    select i.id, i."group" from groups.invites i
      where i.to_person = ${person} and i."group" = ${group} and not i.reusable
        and i.status in ('waiting', 'approved')
    union select i.id, i."group" from groups.joins j join groups.invites i on i.id = j.invite
      where j.person = ${person} and j.status = 'waiting' and i."group" = ${group}`);
}

/** Locks the invite until `tx` ends; lock its group first. */
export function lockInvite(tx: Tx, id: string): Promise<InviteRow | null> {
  return tx.maybeOne<InviteRow>(named('groups_lock_invite')`
    select ${inviteColumns} from groups.invites i where i.id = ${id} for update`);
}

/** Writes the invite's progress. */
export async function updateInvite(
  tx: Tx,
  { id, status, why, uses }: Pick<InviteRow, 'id' | 'status' | 'why' | 'uses'>,
): Promise<void> {
  await tx.execute(named('groups_update_invite')`
    update groups.invites set status = ${status}, why = ${why}, uses = ${uses} where id = ${id}`);
}

/** Makes the invite wait for its recipient, as a new item. Returns false if it already did. */
export async function passInvite(tx: Tx, id: string, note: string): Promise<boolean> {
  const passed = await tx.execute(named('groups_pass_invite')`
    update groups.invites set holder = null, passed_note = ${note}, placed = false where id = ${id}
      and holder is not null`);
  return passed === 1;
}

export async function countOpenInvites(db: Db, group: string, now: Date): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from groups.invites
    where "group" = ${group} and status in ('waiting', 'approved') and expires_at > ${now}`);
  return count;
}

export interface InvitePage {
  /** The status at `now`: an expired invite counts as declined. */
  status: InviteRow['status'] | null;
  after: { at: Date; id: string } | null;
  limit: number;
  now: Date;
}

const isOver = (now: Date) => fragment`i.expires_at <= ${now}`;

/** Selects invites by their status at `now`. Each part reads its own index, newest first. */
function partsOf(status: InviteRow['status'] | null, now: Date): Fragment[] {
  if (status === null) return [fragment`true`];
  if (status === 'used') return [fragment`i.status = 'used'`];
  if (status !== 'declined') return [fragment`i.status = ${raw(`'${status}'`)} and not ${isOver(now)}`];
  const ended = (['waiting', 'approved'] as const).map(
    (open) => fragment`i.status = ${raw(`'${open}'`)} and ${isOver(now)}`,
  );
  return [fragment`i.status = 'declined'`, ...ended];
}

/** Lists a group's invites, newest first. */
export function listInvites(
  db: Db,
  group: string,
  { status, after, limit, now }: InvitePage,
): Promise<InviteRow[]> {
  const [at, id] = placeValues(after);
  const newest = fragment`order by i.created_at desc, i.id desc limit ${raw(mostOf(limit))}`;
  const [first, ...others] = partsOf(status, now).map(
    (part) => fragment`(
      select i.* from groups.invites i
      where i."group" = ${group} and ${part} and (i.created_at, i.id) < (${at}::timestamptz, ${id}::uuid) ${newest})`,
  );
  const parts = others.reduce((all, part) => fragment`${all} union all ${part}`, first!);
  return db.query<InviteRow>(sql`select ${inviteColumns} from (${parts}) i ${newest}`);
}

/** @param holder the new holder; null for the recipient */
export async function holdInvite(tx: Tx, id: string, holder: string | null): Promise<void> {
  await tx.execute(named('groups_hold_invite')`
    update groups.invites set holder = ${holder} where id = ${id}`);
}

/** Clears a recipient who is gone. */
export async function forgetRecipient(tx: Tx, id: string): Promise<void> {
  await tx.execute(named('groups_forget_recipient')`
    update groups.invites set to_person = null, holder = null where id = ${id}`);
}

export const nextExpiry = fragment`
  select min(expires_at) from groups.invites where status in ('waiting', 'approved')`;

/** Open invites that have expired, longest expired first. */
export function listDueInvites(db: Db, now: Date, limit: number): Promise<Pick<InviteRow, 'id' | 'group'>[]> {
  return db.query<Pick<InviteRow, 'id' | 'group'>>(named('groups_list_due_invites')`
    select id, "group" from groups.invites
    where status in ('waiting', 'approved') and expires_at <= ${now}
    order by expires_at limit ${limit}`);
}

/** Deletes up to `limit` ended invites that expired before that time; returns how many. */
export async function deleteInvitesBefore(tx: Tx, before: Date, limit: number): Promise<number> {
  return await tx.execute(sql`
    delete from groups.invites
    where id in (
      select id from groups.invites
      where expires_at < ${before} and status in ('declined', 'used')
      limit ${limit} for update skip locked)`);
}
