import { type Db, fragment, named, sql, type Tx } from '@hearth/db';

/** An approver's decision, given in this service. */
export interface Decision {
  /** uuid of the person. */
  by: string;
  note: string;
  /** Numbers of hearth.common.v1.Via and Proof. */
  via: number;
  proof: number;
}

/** A row of `asks`: the approval in the approvals service that asks one approver about a join request. */
export interface JoinApproval {
  /** uuid of the approval. */
  id: string;
  group: string;
  invite: string;
  person: string;
  role: 'organizer' | 'guardian';
  /** The state that the approvals service should have. */
  wanted: 'waiting' | 'approved' | 'declined' | 'cancelled';
  said: Decision | null;
  /** How many syncs failed. */
  attempts: number;
}

const columns = fragment`a.id, a."group", a.invite, a.person, a.role, a.wanted, a.said, a.attempts`;

/** Stores the approval, due for sync at `now`. */
export async function insertJoinApproval(
  tx: Tx,
  { id, group, invite, person, role }: Pick<JoinApproval, 'id' | 'group' | 'invite' | 'person' | 'role'>,
  now: Date,
): Promise<void> {
  await tx.execute(named('groups_insert_ask')`
    insert into groups.asks (id, "group", invite, person, role, wanted, next_at, changed_at)
    values (${id}, ${group}, ${invite}, ${person}, ${role}, 'waiting', ${now}, ${now})`);
}

export function findJoinApproval(db: Db, id: string): Promise<JoinApproval | null> {
  return db.maybeOne<JoinApproval>(named('groups_find_ask')`
    select ${columns} from groups.asks a where a.id = ${id}`);
}

/** Ends a pending approval and marks its end for sync. */
export async function endJoinApproval(
  tx: Tx,
  id: string,
  { wanted, said }: Pick<JoinApproval, 'wanted' | 'said'>,
  now: Date,
): Promise<void> {
  await tx.execute(named('groups_end_ask')`
    update groups.asks set wanted = ${wanted}, said = ${said === null ? null : JSON.stringify(said)},
      next_at = ${now}, attempts = 0, changed_at = ${now}
    where id = ${id} and wanted = 'waiting'`);
}

/** Records an end that the approvals service announced; false if it had already ended. */
export async function noteEnded(
  tx: Tx,
  id: string,
  wanted: JoinApproval['wanted'],
  now: Date,
): Promise<boolean> {
  const noted = await tx.execute(named('groups_note_ask_ended')`
    update groups.asks set wanted = ${wanted}, next_at = null, changed_at = ${now} where id = ${id}
      and wanted = 'waiting'`);
  return noted === 1;
}

/** Cancels the pending approvals of an invite or group that ends. */
export async function cancelJoinApprovals(
  tx: Tx,
  of: { invite: string } | { group: string },
  now: Date,
): Promise<void> {
  const theirs = 'invite' in of ? fragment`invite = ${of.invite}` : fragment`"group" = ${of.group}`;
  await tx.execute(sql`
    update groups.asks set wanted = 'cancelled', next_at = ${now}, attempts = 0, changed_at = ${now}
    where ${theirs} and wanted = 'waiting'`);
}

export const nextSync = fragment`select min(next_at) from groups.asks where next_at is not null`;

/** Approvals due for sync, of one invite or of all; longest due first. */
export function listDueJoinApprovals(
  db: Db,
  invite: string | null,
  now: Date,
  limit: number,
): Promise<JoinApproval[]> {
  const name = invite === null ? 'groups_list_due_asks' : 'groups_list_due_asks_of_invite';
  const ofInvite = invite === null ? fragment`` : fragment`and a.invite = ${invite}`;
  return db.query<JoinApproval>(named(name)`
    select ${columns} from groups.asks a
    where a.next_at <= ${now} ${ofInvite} order by a.next_at, a.id limit ${limit}`);
}

/** Marks approvals for new approvers: pending ones asked of these groups' organizers or these people's guardians. */
export async function askAnew(
  tx: Tx,
  { groups, people }: { groups: readonly string[]; people: readonly string[] },
  now: Date,
): Promise<string[]> {
  const rows = await tx.query<{ invite: string }>(named('groups_ask_anew')`
    update groups.asks set next_at = ${now}, attempts = 0
    where wanted = 'waiting' and (role = 'organizer' and "group" = any(${groups}::uuid[])
      or role = 'guardian' and person = any(${people}::uuid[]))
    returning invite`);
  return [...new Set(rows.map(({ invite }) => invite))];
}

/**
 * Records that the approvals service has the state `wanted`. If another state is wanted by now, the approval
 * stays due.
 */
export async function noteSynced(
  tx: Tx,
  { id, wanted }: Pick<JoinApproval, 'id' | 'wanted'>,
  now: Date,
): Promise<void> {
  await tx.execute(named('groups_note_ask_told')`
    update groups.asks set next_at = case when wanted = ${wanted} then null else ${now}::timestamptz end
      where id = ${id}`);
}

/** Schedules the next try of a failed sync for `next`. */
export async function postponeSync(
  tx: Tx,
  { id, wanted }: Pick<JoinApproval, 'id' | 'wanted'>,
  next: Date,
): Promise<void> {
  await tx.execute(named('groups_note_ask_not_told')`
    update groups.asks set attempts = attempts + 1, next_at = ${next}
    where id = ${id} and wanted = ${wanted} and next_at is not null`);
}

/** Deletes up to `limit` approvals that ended before that time; returns how many. */
export async function deleteJoinApprovalsBefore(tx: Tx, before: Date, limit: number): Promise<number> {
  return await tx.execute(sql`
    delete from groups.asks
    where id in (
      select id from groups.asks
      where changed_at < ${before} and wanted <> 'waiting'
      limit ${limit} for update skip locked)`);
}
