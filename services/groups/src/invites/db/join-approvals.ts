import type { Db, Tx } from '@hearth/db';

/** How the word was given that ends an ask, where it was given here and not through approvals. */
export interface Said {
  /** uuid of the person */
  by: string;
  note: string;
  /** Numbers of hearth.common.v1.Via and Proof. */
  via: number;
  proof: number;
}

/** The approval by which a word about who wants to join is asked for. */
export interface AskRow {
  /** uuid of the approval. */
  id: string;
  group: string;
  invite: string;
  person: string;
  /** Whose word it asks for. */
  role: 'organizer' | 'guardian';
  /** What approvals shall know it as. */
  wanted: 'waiting' | 'approved' | 'declined' | 'cancelled';
  said: Said | null;
  /** How often telling approvals failed. */
  attempts: number;
}

const columns = `a.id, a."group", a.invite, a.person, a.role, a.wanted, a.said, a.attempts`;

/** Approvals is told of it from `now` on. */
export async function insertAsk(
  tx: Tx,
  { id, group, invite, person, role }: Pick<AskRow, 'id' | 'group' | 'invite' | 'person' | 'role'>,
  now: Date,
): Promise<void> {
  await tx.execute({
    name: 'groups_insert_ask',
    text: `
      insert into groups.asks (id, "group", invite, person, role, wanted, next_at, changed_at)
      values ($1, $2, $3, $4, $5, 'waiting', $6, $6)`,
    values: [id, group, invite, person, role, now],
  });
}

export function findAsk(db: Db, id: string): Promise<AskRow | null> {
  return db.maybeOne<AskRow>({
    name: 'groups_find_ask',
    text: `select ${columns} from groups.asks a where a.id = $1`,
    values: [id],
  });
}

/** Ends an ask that waits, of which approvals is to be told. */
export async function endAsk(
  tx: Tx,
  id: string,
  { wanted, said }: Pick<AskRow, 'wanted' | 'said'>,
  now: Date,
): Promise<void> {
  await tx.execute({
    name: 'groups_end_ask',
    text: `
      update groups.asks set wanted = $2, said = $3, next_at = $4, attempts = 0, changed_at = $4
      where id = $1 and wanted = 'waiting'`,
    values: [id, wanted, said === null ? null : JSON.stringify(said), now],
  });
}

/** Ends an ask of whose end approvals told. False when it had ended already. */
export async function noteEnded(tx: Tx, id: string, wanted: AskRow['wanted'], now: Date): Promise<boolean> {
  const noted = await tx.execute({
    name: 'groups_note_ask_ended',
    text: `
      update groups.asks set wanted = $2, next_at = null, changed_at = $3 where id = $1 and wanted = 'waiting'`,
    values: [id, wanted, now],
  });
  return noted === 1;
}

/** Cancels those that wait by an invite, or of a group, that ends. */
export async function cancelAsks(
  tx: Tx,
  of: { invite: string } | { group: string },
  now: Date,
): Promise<void> {
  const [column, id] = 'invite' in of ? ['invite', of.invite] : ['"group"', of.group];
  await tx.execute({
    text: `
      update groups.asks set wanted = 'cancelled', next_at = $2, attempts = 0, changed_at = $2
      where ${column} = $1 and wanted = 'waiting'`,
    values: [id, now],
  });
}

/** Those of which approvals is to be told: of one invite, or of all; the longest due first. */
export function listDueAsks(db: Db, invite: string | null, now: Date, limit: number): Promise<AskRow[]> {
  return db.query<AskRow>({
    name: invite === null ? 'groups_list_due_asks' : 'groups_list_due_asks_of_invite',
    text: `
      select ${columns} from groups.asks a
      where ${invite === null ? '$1::uuid is null' : 'a.invite = $1'} and a.next_at <= $2
      order by a.next_at, a.id limit $3`,
    values: [invite, now, limit],
  });
}

/** Approvals knows it as `wanted`. Where something else is wanted by now, it is told again. */
export async function noteTold(
  tx: Tx,
  { id, wanted }: Pick<AskRow, 'id' | 'wanted'>,
  now: Date,
): Promise<void> {
  await tx.execute({
    name: 'groups_note_ask_told',
    text: `
      update groups.asks set next_at = case when wanted = $2 then null else $3::timestamptz end where id = $1`,
    values: [id, wanted, now],
  });
}

/** Approvals could not be told; it is tried again at `next`. */
export async function noteNotTold(
  tx: Tx,
  { id, wanted }: Pick<AskRow, 'id' | 'wanted'>,
  next: Date,
): Promise<void> {
  await tx.execute({
    name: 'groups_note_ask_not_told',
    text: `
      update groups.asks set attempts = attempts + 1, next_at = $3
      where id = $1 and wanted = $2 and next_at is not null`,
    values: [id, wanted, next],
  });
}

/** Forgets those that ended before that moment; at most `limit`. How many. */
export async function deleteAsksBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  return await tx.execute({
    text: `
      delete from groups.asks
      where id in (
        select id from groups.asks
        where changed_at < $1 and wanted <> 'waiting'
        limit $2 for update skip locked)`,
    values: [moment, limit],
  });
}
