import { type Db, fragment, named, sql, type Tx } from '@hearth/db';
import { type InviteRow, inviteColumns } from './invites.ts';

/** An invite as an item among its recipient's requests. */
export type ItemRow = InviteRow & {
  /** Whether it waits. */
  placed: boolean;
  /** How often it has begun to wait; the item's part. */
  part: number;
};

/**
 * Whether invite i of group g waits for its recipient. It doesn't if the recipient asked to join by it, or
 * shares an active group with the inviter.
 */
const waits = (now: Date) => fragment`
  i.to_person is not null and i.home is null and i.status = 'waiting' and not i.reusable and i.expires_at > ${now}
  and g.archived_at is null and (g.ends_at is null or g.ends_at > ${now})
  and not exists (select 1 from groups.joins j where j.invite = i.id and j.person = i.to_person)
  and not exists (
    select 1 from groups.members a
      join groups.members b on b."group" = a."group" and b.person = i.created_by_person
      join groups.groups s on s.id = a."group"
    where a.person = i.to_person and s.archived_at is null and (s.ends_at is null or s.ends_at > ${now}))`;

const open = fragment`i.to_person is not null and i.home is null and i.status = 'waiting' and not i.reusable`;
const columns = fragment`${inviteColumns}, i.placed, i.part`;

export interface ItemsViewer {
  /** uuid of the person it waits for. */
  person: string;
  /** uuid of the AI at the front door, or of the guardian, who holds it for the person. */
  holder: string;
}

export type WaitingInvite = ItemRow & { to_person: string; group_name: string };

/** The invites among these that wait for the viewer. */
export function findWaitingInvites(
  db: Db,
  ids: readonly string[],
  now: Date,
  { person, holder }: ItemsViewer,
): Promise<WaitingInvite[]> {
  return db.query<WaitingInvite>(named('groups_find_waiting_invites')`
    select ${columns}, g.name as group_name from groups.invites i join groups.groups g on g.id = i."group"
    where i.id = any(${ids}::uuid[]) and ${waits(now)}
      and (i.to_person = ${person} and i.holder is null
        or i.holder = ${holder} and (i.delivery <> 'front_door' or i.to_person = ${person}))`);
}

/** Records whether a locked invite waits at `now`; null if nothing changed. */
export function placeInvite(tx: Tx, id: string, now: Date): Promise<ItemRow | null> {
  return tx.maybeOne<ItemRow>(named('groups_place_invite')`
    with now as (
      select i.id, (${waits(now)}) as waits
      from groups.invites i join groups.groups g on g.id = i."group" where i.id = ${id})
    update groups.invites i set placed = now.waits, part = i.part + now.waits::int
    from now where i.id = now.id and i.placed <> now.waits
    returning ${columns}`);
}

export function findItems(db: Db, ids: readonly string[]): Promise<ItemRow[]> {
  return db.query<ItemRow>(named('groups_find_items')`
    select ${columns} from groups.invites i where i.id = any(${ids}::uuid[])`);
}

export function listPlaced(db: Db, group: string): Promise<Pick<ItemRow, 'id' | 'part'>[]> {
  return db.query<Pick<ItemRow, 'id' | 'part'>>(sql`
    select id, part from groups.invites where "group" = ${group} and placed`);
}

/**
 * Invites from, to or into these people and groups whose waiting state changed without a change of the invite
 * itself.
 */
export function listMisplaced(
  db: Db,
  { people, groups }: { people: readonly string[]; groups: readonly string[] },
  now: Date,
): Promise<Pick<InviteRow, 'id' | 'group'>[]> {
  return db.query<Pick<InviteRow, 'id' | 'group'>>(named('groups_list_misplaced')`
    select i.id, i."group" from groups.invites i join groups.groups g on g.id = i."group"
    where i.id in (
        select i.id from groups.invites i where i.to_person = any(${people}::uuid[]) and ${open}
        union select i.id from groups.invites i where i.created_by_person = any(${people}::uuid[]) and ${open}
        union select i.id from groups.invites i where i."group" = any(${groups}::uuid[]) and ${open}
        union select i.id from groups.members m join groups.invites i on i.to_person = m.person
          where m."group" = any(${groups}::uuid[]) and ${open})
      and i.placed <> (${waits(now)})`);
}

export const nextUnplaced = fragment`
  select '-infinity'::timestamptz where exists (select from groups.unplaced_invites)`;

/** Invites older than items. */
export function listUnplaced(db: Db, limit: number): Promise<Pick<InviteRow, 'id' | 'group'>[]> {
  return db.query<Pick<InviteRow, 'id' | 'group'>>(named('groups_list_unplaced')`
    select i.id, i."group" from groups.unplaced_invites u join groups.invites i on i.id = u.invite
      limit ${limit}`);
}

export async function deleteUnplaced(tx: Tx, id: string): Promise<void> {
  await tx.execute(named('groups_delete_unplaced')`
    delete from groups.unplaced_invites where invite = ${id}`);
}
