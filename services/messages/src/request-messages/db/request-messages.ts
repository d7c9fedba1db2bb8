import { type Db, fragment, named, type Tx } from '@hearth/db';
import { RequestKind } from '@hearth/proto/messages/v1/messages';
import { lowerUnread } from '../../shared/db/mailboxes.ts';
import { type MessageRow, messageColumns } from '../../shared/db/message-row.ts';

/** The viewer of a requests box. */
export interface RequestsViewer {
  /** uuid of the person, or of the person responsible for an AI. */
  person: string;
  /** uuid of the viewer, who may hold messages to others: the AI at the front door, or the guardian. */
  holder: string;
}

export interface RequestRow extends MessageRow {
  person: string;
  sender_person: string | null;
}

/** Columns from the table alias `m`. */
export const requestColumns = fragment`${messageColumns}, m.person, m.sender_person`;

/** Whether the message of alias `m` is waiting. */
export const waits = fragment`m.box in (2, 3) and m.retracted_at is null and m.recipient_deleted_at is null`;

/**
 * Messages that the viewer may settle. A person may also settle those at their own front door; an AI, those
 * at its person's.
 */
const settles = ({ person, holder }: RequestsViewer) => fragment`
  ${waits} and ((m.person = ${person} and (m.holder is null or m.box = 3)) or (m.holder = ${holder} and (m.box <> 3 or m.person = ${person})))`;

/** The messages among these that wait for the viewer. */
export function findRequestMessages(
  db: Db,
  viewer: RequestsViewer,
  ids: readonly string[],
): Promise<RequestRow[]> {
  return db.query<RequestRow>(named('messages_find_request_messages')`
    select ${requestColumns} from messages.messages m where ${settles(viewer)}
      and m.id = any(${ids}::uuid[])`);
}

/** The messages among these that wait for anyone. */
export function findWaiting(db: Db, ids: readonly string[]): Promise<RequestRow[]> {
  return db.query<RequestRow>(named('messages_find_waiting')`
    select ${requestColumns} from messages.messages m where ${waits} and m.id = any(${ids}::uuid[])`);
}

/** Waiting messages of kind `offer` that these senders (uuids) had sent by the given time. */
export function findOffersFrom(
  db: Db,
  senders: readonly string[],
  at: Date,
): Promise<Pick<RequestRow, 'id' | 'recipient' | 'person' | 'data'>[]> {
  return db.query(named('messages_find_offers_from')`
    select m.id, m.recipient, m.person, m.data from messages.messages m
    where m.sender = any(${senders}::uuid[]) and ${waits} and m.request_kind = ${RequestKind.OFFER} and m.at <= ${at}`);
}

/** Locks the waiting messages among these of one recipient, whose mailbox is locked; oldest first. */
export function lockWaitingOf(tx: Tx, recipient: string, ids: readonly string[]): Promise<RequestRow[]> {
  return tx.query<RequestRow>(named('messages_lock_waiting_of')`
    select ${requestColumns} from messages.messages m
    where ${waits} and m.id = any(${ids}::uuid[]) and m.recipient = ${recipient}
    order by m.recipient_seq for update of m`);
}

/**
 * Locks the waiting messages of a thread for this viewer and recipient, oldest first. The recipient's mailbox
 * is locked.
 */
export function lockWaiting(
  tx: Tx,
  viewer: RequestsViewer,
  thread: string,
  recipient: string,
): Promise<RequestRow[]> {
  return tx.query<RequestRow>(named('messages_lock_waiting')`
    select ${requestColumns} from messages.messages m
    where ${settles(viewer)} and m.thread = ${thread} and m.recipient = ${recipient}
    order by m.recipient_seq for update of m`);
}

/** Moves messages to the inbox. */
export async function moveToInbox(
  tx: Tx,
  recipient: string,
  rows: readonly RequestRow[],
  at: Date,
): Promise<void> {
  await moveToBox(tx, recipient, rows, 1, at);
}

/** Moves messages to the recipient's own requests, after their holder has gone. */
export async function moveToRequests(
  tx: Tx,
  recipient: string,
  rows: readonly RequestRow[],
  at: Date,
): Promise<void> {
  await moveToBox(tx, recipient, rows, 2, at);
  await openThreads(tx, rows, 2);
}

/** Upserts the recipient's side of the threads of messages moved to this box. */
export async function openThreads(tx: Tx, rows: readonly RequestRow[], box: number): Promise<void> {
  await tx.execute(named('messages_open_threads')`
    insert into messages.threads as t (owner, id, other, other_address, last_seq, last_at, box)
    select distinct on (m.thread) m.recipient, m.thread, m.sender, m.sender_address, m.recipient_seq, m.at, ${box}::smallint
    from messages.messages m where m.id = any(${rows.map(({ id }) => id)}::uuid[])
      order by m.thread, m.recipient_seq desc
    on conflict (owner, id) do update set
      last_seq = greatest(t.last_seq, excluded.last_seq), last_at = greatest(t.last_at, excluded.last_at),
      box = case when t.box = 1 then t.box else excluded.box end`);
}

/** Messages that a holder saw first are new to the recipient, so they get the next numbers of the mailbox. */
async function moveToBox(
  tx: Tx,
  recipient: string,
  rows: readonly RequestRow[],
  box: number,
  at: Date,
): Promise<void> {
  const held = rows.filter(({ holder }) => holder !== null);
  const { last } = await tx.one<{ last: number }>({
    name: 'messages_number_moved',
    text: `
      update messages.mailboxes set last_seq = last_seq + $2, unread = unread + $3
      where owner = $1 returning last_seq as last`,
    values: [recipient, held.length, held.filter(({ read_at }) => read_at === null).length],
  });
  const first = last - held.length + 1;
  await tx.execute({
    name: 'messages_move_to_box',
    text: `
      update messages.messages m set box = $3, holder = null, recipient_seq = coalesce(q.seq, m.recipient_seq),
        released_at = case when q.seq is null then m.released_at else $4::timestamptz end
      from unnest($1::uuid[], $2::bigint[]) as q(id, seq) where m.id = q.id`,
    values: [
      rows.map(({ id }) => id),
      rows.map((row) => (row.holder === null ? null : first + held.indexOf(row))),
      box,
      at,
    ],
  });
}

/** Assigns an AI's waiting messages to its new owner (uuid). */
export async function giveToOwner(tx: Tx, rows: readonly RequestRow[], owner: string): Promise<void> {
  await tx.execute(named('messages_give_to_owner')`
    update messages.messages set person = ${owner} where id = any(${rows.map(({ id }) => id)}::uuid[])`);
}

export async function passToHolder(tx: Tx, rows: readonly RequestRow[], holder: string): Promise<void> {
  await tx.execute(named('messages_pass_to_holder')`
    update messages.messages set holder = ${holder} where id = any(${rows.map(({ id }) => id)}::uuid[])`);
}

/** Upserts the recipient's side of an accepted thread. */
export async function acceptThread(tx: Tx, row: RequestRow, at: Date): Promise<void> {
  await tx.execute(named('messages_accept_thread')`
    insert into messages.threads (owner, id, other, other_address, last_seq, last_at, box, accepted)
    select ${row.recipient}, ${row.thread}, ${row.sender}, ${row.sender_address},
      coalesce(max(m.recipient_seq), 0), coalesce(max(m.at), ${at}), 1, true
    from messages.messages m where m.recipient = ${row.recipient} and m.thread = ${row.thread} and m.box = 1
    on conflict (owner, id) do update set box = 1, accepted = true,
      last_seq = greatest(threads.last_seq, excluded.last_seq),
      last_at = greatest(threads.last_at, excluded.last_at)`);
}

/** Hides the messages from their recipient, whose mailbox is locked; the sender keeps them. */
export async function endWait(
  tx: Tx,
  recipient: string,
  rows: readonly RequestRow[],
  at: Date,
): Promise<void> {
  await tx.execute(named('messages_end_wait')`
    update messages.messages set recipient_deleted_at = ${at}
      where id = any(${rows.map(({ id }) => id)}::uuid[])`);
  const unread = rows.filter(({ read_at, holder }) => read_at === null && holder === null).length;
  await lowerUnread(tx, recipient, unread);
  // Deletes threads without a visible message.
  await tx.execute(named('messages_end_wait_threads')`
    delete from messages.threads t
    where t.owner = ${recipient} and t.id = any(${[...new Set(rows.map(({ thread }) => thread))]}::uuid[])
      and t.box <> 1
      and not exists (
        select 1 from messages.messages m
        where m.thread = t.id and m.recipient = t.owner and m.recipient_deleted_at is null)
      and not exists (
        select 1 from messages.messages m
        where m.thread = t.id and m.sender = t.owner and m.sender_deleted_at is null)`);
}

export async function relabelMessages(tx: Tx, rows: readonly RequestRow[], kind: number): Promise<void> {
  await tx.execute(named('messages_relabel')`
    update messages.messages set counts_as = ${kind} where id = any(${rows.map(({ id }) => id)}::uuid[])`);
}
