import type { Db, Tx } from '@hearth/db';
import { lowerUnread } from '../../shared/db/mailboxes.ts';
import { type MessageRow, messageColumns } from '../../shared/db/message-row.ts';

/** The viewer of a requests box: a person, with the holders for whose sake messages of others wait there. */
export interface RequestsViewer {
  /** uuid */
  person: string;
  /** uuids */
  holders: readonly string[];
}

export interface RequestRow extends MessageRow {
  person: string;
  sender_person: string | null;
}

/** The columns of the table alias `m`. */
export const requestColumns = `${messageColumns}, m.person, m.sender_person`;

/** A message of the alias `m` waits. */
export const waits = `m.box in (2, 3) and m.retracted_at is null and m.recipient_deleted_at is null`;

/** Messages that the viewer may settle. A person may settle also those that wait at their own front door. */
const settles = `
  ${waits} and ((m.person = $1 and (m.holder is null or m.box = 3)) or m.holder = any($2::uuid[]))`;

export interface RequestsPage {
  kind: number | null;
  before: { at: Date; id: string } | null;
  limit: number;
}

/** The newest first. */
export function listRequestMessages(
  db: Db,
  { person, holders }: RequestsViewer,
  { kind, before, limit }: RequestsPage,
): Promise<RequestRow[]> {
  const filter = `
    ${waits} and ($3::smallint is null or coalesce(m.counts_as, m.request_kind) = $3)
    and ($4::timestamptz is null or (m.at, m.id) < ($4, $5::uuid))`;
  return db.query<RequestRow>({
    name: 'messages_list_requests',
    text: `
      with places as (
        (select m.id, m.at from messages.messages m
          where m.person = $1 and m.holder is null and ${filter}
          order by m.at desc, m.id desc limit $6)
        union
        select held.id, held.at from unnest($2::uuid[]) as k(holder)
        cross join lateral (
          select m.id, m.at from messages.messages m
          where m.holder = k.holder and ${filter}
          order by m.at desc, m.id desc limit $6) held)
      select ${requestColumns}
      from (select id, at from places order by at desc, id desc limit $6) p
      join messages.messages m on m.id = p.id
      order by m.at desc, m.id desc`,
    values: [person, holders, kind, before?.at ?? null, before?.id ?? null, limit],
  });
}

export interface RequestCount {
  count: number;
  oldest: Date | null;
}

/** Counted up to `most` of each. */
export function countRequestMessages(
  db: Db,
  { person, holders }: RequestsViewer,
  most: number,
): Promise<RequestCount> {
  return db.one<RequestCount>({
    name: 'messages_count_requests',
    text: `
      select least(count(*), $3)::int as count, min(at) as oldest from (
        (select m.at from messages.messages m
          where m.person = $1 and m.holder is null and ${waits} limit $3)
        union all
        select held.at from unnest($2::uuid[]) as k(holder)
        cross join lateral (
          select m.at from messages.messages m where m.holder = k.holder and ${waits} limit $3) held) counted`,
    values: [person, holders, most],
  });
}

export function findRequestMessage(
  db: Db,
  { person, holders }: RequestsViewer,
  id: string,
): Promise<RequestRow | null> {
  return db.maybeOne<RequestRow>({
    name: 'messages_find_request_message',
    text: `select ${requestColumns} from messages.messages m where ${settles} and m.id = $3`,
    values: [person, holders, id],
  });
}

/** Those of these messages that wait for the viewer. */
export function findRequestMessages(
  db: Db,
  { person, holders }: RequestsViewer,
  ids: readonly string[],
): Promise<RequestRow[]> {
  return db.query<RequestRow>({
    name: 'messages_find_request_messages',
    text: `select ${requestColumns} from messages.messages m where ${settles} and m.id = any($3::uuid[])`,
    values: [person, holders, ids],
  });
}

/** Those of these messages that wait for anyone. */
export function findWaiting(db: Db, ids: readonly string[]): Promise<RequestRow[]> {
  return db.query<RequestRow>({
    name: 'messages_find_waiting',
    text: `select ${requestColumns} from messages.messages m where ${waits} and m.id = any($1::uuid[])`,
    values: [ids],
  });
}

/** The same of one recipient, whose mailbox is locked; the oldest first. */
export function lockWaitingOf(tx: Tx, recipient: string, ids: readonly string[]): Promise<RequestRow[]> {
  return tx.query<RequestRow>({
    name: 'messages_lock_waiting_of',
    text: `
      select ${requestColumns} from messages.messages m
      where ${waits} and m.id = any($1::uuid[]) and m.recipient = $2
      order by m.recipient_seq for update of m`,
    values: [ids, recipient],
  });
}

/** The waiting messages of a thread for that viewer and recipient, the oldest first; the recipient's mailbox is locked. */
export function lockWaiting(
  tx: Tx,
  { person, holders }: RequestsViewer,
  thread: string,
  recipient: string,
): Promise<RequestRow[]> {
  return tx.query<RequestRow>({
    name: 'messages_lock_waiting',
    text: `
      select ${requestColumns} from messages.messages m
      where ${settles} and m.thread = $3 and m.recipient = $4
      order by m.recipient_seq for update of m`,
    values: [person, holders, thread, recipient],
  });
}

/** Into the inbox. */
export async function moveToInbox(tx: Tx, recipient: string, rows: readonly RequestRow[]): Promise<void> {
  await moveToBox(tx, recipient, rows, 1);
}

/** To the recipient's own requests, after their holder has gone. */
export async function moveToRequests(tx: Tx, recipient: string, rows: readonly RequestRow[]): Promise<void> {
  await moveToBox(tx, recipient, rows, 2);
  await tx.execute({
    name: 'messages_open_threads',
    text: `
      insert into messages.threads as t (owner, id, other, other_address, last_seq, last_at, box)
      select distinct on (m.thread) m.recipient, m.thread, m.sender, m.sender_address, m.recipient_seq, m.at, 2::smallint
      from messages.messages m where m.id = any($1::uuid[]) order by m.thread, m.recipient_seq desc
      on conflict (owner, id) do update set
        last_seq = greatest(t.last_seq, excluded.last_seq), last_at = greatest(t.last_at, excluded.last_at),
        box = case when t.box = 1 then t.box else excluded.box end`,
    values: [rows.map(({ id }) => id)],
  });
}

/** Messages that a holder saw first are new to the recipient: they get the next numbers of their mailbox. */
async function moveToBox(tx: Tx, recipient: string, rows: readonly RequestRow[], box: number): Promise<void> {
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
      update messages.messages m set box = $3, holder = null, recipient_seq = coalesce(q.seq, m.recipient_seq)
      from unnest($1::uuid[], $2::bigint[]) as q(id, seq) where m.id = q.id`,
    values: [
      rows.map(({ id }) => id),
      rows.map((row) => (row.holder === null ? null : first + held.indexOf(row))),
      box,
    ],
  });
}

/** The recipient's side of a thread that they accepted. */
export async function acceptThread(tx: Tx, row: RequestRow, at: Date): Promise<void> {
  await tx.execute({
    name: 'messages_accept_thread',
    text: `
      insert into messages.threads (owner, id, other, other_address, last_seq, last_at, box, accepted)
      select $1, $2, $3, $4, coalesce(max(m.recipient_seq), 0), coalesce(max(m.at), $5), 1, true
      from messages.messages m where m.recipient = $1 and m.thread = $2 and m.box = 1
      on conflict (owner, id) do update set box = 1, accepted = true,
        last_seq = greatest(threads.last_seq, excluded.last_seq),
        last_at = greatest(threads.last_at, excluded.last_at)`,
    values: [row.recipient, row.thread, row.sender, row.sender_address, at],
  });
}

/** Hides the messages from their recipient; the sender keeps them. The recipient's mailbox is locked. */
export async function endWait(
  tx: Tx,
  recipient: string,
  rows: readonly RequestRow[],
  at: Date,
): Promise<void> {
  await tx.execute({
    name: 'messages_end_wait',
    text: `update messages.messages set recipient_deleted_at = $2 where id = any($1::uuid[])`,
    values: [rows.map(({ id }) => id), at],
  });
  const unread = rows.filter(({ read_at, holder }) => read_at === null && holder === null).length;
  await lowerUnread(tx, recipient, unread);
  // A thread without a visible message.
  await tx.execute({
    name: 'messages_end_wait_threads',
    text: `
      delete from messages.threads t
      where t.owner = $1 and t.id = any($2::uuid[]) and t.box <> 1
        and not exists (
          select 1 from messages.messages m
          where m.thread = t.id and m.recipient = t.owner and m.recipient_deleted_at is null)
        and not exists (
          select 1 from messages.messages m
          where m.thread = t.id and m.sender = t.owner and m.sender_deleted_at is null)`,
    values: [recipient, [...new Set(rows.map(({ thread }) => thread))]],
  });
}

export function relabelMessages(tx: Tx, rows: readonly RequestRow[], kind: number): Promise<number> {
  return tx.execute({
    name: 'messages_relabel',
    text: `update messages.messages set counts_as = $2 where id = any($1::uuid[])`,
    values: [rows.map(({ id }) => id), kind],
  });
}

/** A blocked sender: a uuid, an address elsewhere, or a whole home as @home. */
export interface BlockedSender {
  id: string | null;
  address: string;
}

/** The mailboxes in which messages from that sender wait for that person. */
export async function mailboxesWithWaiting(
  db: Db,
  person: string,
  { id, address }: BlockedSender,
): Promise<string[]> {
  const rows = await db.query<{ recipient: string }>({
    name: 'messages_mailboxes_with_waiting',
    text: `
      select distinct m.recipient from messages.messages m
      where (m.person = $1 or m.holder = $1) and ${waits} and ${sentBy}`,
    values: [person, id, address],
  });
  return rows.map(({ recipient }) => recipient);
}

/** An AI of a blocked person is blocked with them; a blocked home ends every address on it. */
const sentBy = `(
  m.sender = $2::uuid or m.sender_person = $2::uuid or m.sender_address = $3
  or ($3 ~ '^@[^@]+[.:]' and right(m.sender_address, length($3)) = $3))`;

/** With that mailbox locked. */
export function lockWaitingFrom(
  tx: Tx,
  person: string,
  { id, address }: BlockedSender,
  recipient: string,
): Promise<RequestRow[]> {
  return tx.query<RequestRow>({
    name: 'messages_lock_waiting_from',
    text: `
      select ${requestColumns} from messages.messages m
      where (m.person = $1 or m.holder = $1) and ${waits} and ${sentBy} and m.recipient = $4
      for update of m`,
    values: [person, id, address, recipient],
  });
}
