import type { Db } from '@hearth/db';

/** An open invite to a person from an inviter with whom they share no group. */
export interface InvitationRow {
  id: string;
  group: string;
  group_name: string;
  created_by: string;
  /** uuid of the organizer who answers for it. */
  created_by_person: string;
  /** uuid of the recipient. */
  to_person: string;
  /** uuid of the AI at the front door, or of the guardian, with whom it waits in their place. */
  holder: string | null;
  passed_note: string;
  /** It came to the front door. */
  delivery: string | null;
  created_at: Date;
  expires_at: Date;
}

const columns = `
  i.id, i."group", g.name as group_name, i.created_by, i.created_by_person, i.to_person, i.holder, i.passed_note,
  i.delivery, i.created_at, i.expires_at`;

export interface InvitationsViewer {
  /** uuid */
  person: string;
  /** uuids of holders in place of a recipient: the AI at the front door, the guardian. */
  holders: readonly string[];
}

/** For $1, or with one of $3, at the time $2, without those by which the recipient has asked to join. */
const waiting = `
  (i.to_person = $1 and i.holder is null or i.holder = any($3::uuid[])) and i.status = 'waiting' and not i.reusable and i.expires_at > $2
  and g.archived_at is null and (g.ends_at is null or g.ends_at > $2)
  and not exists (select 1 from groups.joins j where j.invite = i.id and j.person = i.to_person)
  and not exists (
    select 1 from groups.members a
      join groups.members b on b."group" = a."group" and b.person = i.created_by_person
      join groups.groups s on s.id = a."group"
    where a.person = i.to_person and s.archived_at is null and (s.ends_at is null or s.ends_at > $2))`;

/** The newest first. */
export function listInvitations(
  db: Db,
  { person, holders }: InvitationsViewer,
  now: Date,
  before: { at: Date; id: string } | null,
  limit: number,
): Promise<InvitationRow[]> {
  return db.query<InvitationRow>({
    name: 'groups_list_invitations',
    text: `
      select ${columns} from groups.invites i join groups.groups g on g.id = i."group"
      where ${waiting} and ($4::timestamptz is null or (i.created_at, i.id) < ($4, $5::uuid))
      order by i.created_at desc, i.id desc limit $6`,
    values: [person, now, holders, before?.at ?? null, before?.id ?? null, limit],
  });
}

export function findInvitation(
  db: Db,
  { person, holders }: InvitationsViewer,
  now: Date,
  id: string,
): Promise<InvitationRow | null> {
  return db.maybeOne<InvitationRow>({
    name: 'groups_find_invitation',
    text: `
      select ${columns} from groups.invites i join groups.groups g on g.id = i."group"
      where ${waiting} and i.id = $4`,
    values: [person, now, holders, id],
  });
}

/** Open invites from `sender` (or an AI of theirs) to a person, or to a child whom the person guards. */
export function invitationsFrom(
  db: Db,
  person: string,
  sender: string,
): Promise<{ id: string; group: string }[]> {
  return db.query<{ id: string; group: string }>({
    name: 'groups_invitations_from',
    text: `
      select id, "group" from groups.invites
      where (to_person = $1 or holder = $1) and status = 'waiting' and not reusable
        and (created_by = $2 or created_by_person = $2)`,
    values: [person, sender],
  });
}
