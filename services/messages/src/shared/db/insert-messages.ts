import type { Tx } from '@hearth/db';
import type { Item } from '@hearth/items';
import type { OutboxRow } from '@hearth/outbox';
import type { MessageRow } from './message-row.ts';

/** All rows that one sent message writes. */
export interface NewMessage {
  /** The database assigns the sequence numbers. */
  row: MessageRow;
  request?: MessageRequest | null;
  /** Written with the message; absent if no event announces it, or the transaction does. */
  event?: OutboxRow;
  /** Written with a message that waits in requests. */
  item?: WrittenItem;
  /** For a waiting message: the person whose requests it is in, and the person behind the sender. */
  person?: string | null;
  senderPerson?: string | null;
  /** Whether the recipient never sees it. */
  declined?: boolean;
  /** Whether it makes the recipient a contact of the sender. */
  acquaints: boolean;
  /** The remote item that carried it, as JSON. */
  envelope?: string | null;
}

/** The recipient's mailbox as the message found it. */
export interface WrittenMessage {
  id: string;
  /** The number of unread messages, including this one. */
  unread: number;
  /**
   * The newest earlier message; null if there is none, undefined if another arrived in the same statement.
   */
  before: string | null | undefined;
}

type GivenRow = 'title' | 'data' | 'reply_to' | 'holder' | 'counts_as';

type LaterRow = 'sender_seq' | 'recipient_seq' | 'read_at' | 'retracted_at' | 'delivery' | 'why';

/** The row of a new message, with defaults for the fields that are not given. */
export function newRow(
  row: Omit<MessageRow, GivenRow | LaterRow> & Partial<Pick<MessageRow, GivenRow>>,
): MessageRow {
  const none = { title: null, data: null, reply_to: null, holder: null, counts_as: null };
  // Set by the database.
  const later = {
    sender_seq: 0,
    recipient_seq: 0,
    read_at: null,
    retracted_at: null,
    delivery: null,
    why: null,
  };
  return { ...none, ...later, ...row };
}

export interface WrittenItem {
  item: Item;
  event: OutboxRow;
}

/** A request_id with its operation and the digest of its body. */
export interface MessageRequest {
  operation: string;
  requestId: string;
  digest: Buffer;
}

/**
 * Writes messages with all related rows in one statement: idempotency keys, numbers in both mailboxes, each
 * side's thread, the contact, and the announcement. Returns the written messages by id; a missing one carried
 * a request_id that was used before.
 *
 * Rows are locked in the order request keys, mailboxes (by owner), the rest, so that concurrent batches wait
 * for each other instead of deadlocking.
 */
export async function insertMessages(
  tx: Tx,
  messages: readonly NewMessage[],
): Promise<Map<string, WrittenMessage>> {
  const [only] = messages;
  const rows = await tx.query<{ id: string; unread: number; before: string | null; alone: boolean }>(
    messages.length === 1
      ? { name: 'messages_insert_one', text: insertOneText, values: columns.map((column) => column(only!)) }
      : { name: 'messages_insert', text: insertText, values: columns.map((column) => messages.map(column)) },
  );
  return new Map(
    rows.map(({ id, unread, before, alone }) => [id, { id, unread, before: alone ? before : undefined }]),
  );
}

const columns: readonly ((message: NewMessage) => unknown)[] = [
  ({ row }) => row.id,
  ({ row }) => row.thread,
  ({ row }) => row.sender,
  ({ row }) => row.recipient,
  ({ row }) => row.sender_address,
  ({ row }) => row.sender_name,
  ({ row }) => row.sender_status,
  ({ row }) => row.recipient_address,
  ({ row }) => row.title,
  ({ row }) => row.body,
  ({ row }) => row.data && JSON.stringify(row.data),
  ({ row }) => row.reply_to,
  ({ row }) => row.request_kind,
  ({ row }) => row.via,
  ({ row }) => row.box,
  ({ row }) => row.at,
  ({ request }) => request?.operation ?? null,
  ({ request }) => request?.requestId ?? null,
  ({ request }) => request?.digest ?? null,
  ({ event }) => event?.id ?? null,
  ({ event }) => event?.type ?? null,
  ({ event }) => event?.event ?? null,
  ({ person }) => person ?? null,
  ({ senderPerson }) => senderPerson ?? null,
  ({ row }) => row.holder,
  ({ declined }) => declined ?? false,
  ({ acquaints }) => acquaints,
  ({ row }) => row.counts_as,
  ({ item }) => item?.event.id ?? null,
  ({ item }) => item?.event.type ?? null,
  ({ item }) => item?.event.event ?? null,
  ({ envelope }) => envelope ?? null,
];

const insertRow = `
  insert into messages.messages (
    id, thread, sender, recipient, sender_seq, recipient_seq, thread_seq,
    sender_address, sender_name, sender_status, recipient_address,
    title, body, data, reply_to, request_kind, via, box, at, recipient_deleted_at,
    person, sender_person, holder, counts_as, envelope)`;

const moveThread = `
  on conflict (owner, id) do update set
    last_seq = excluded.last_seq, last_at = excluded.last_at, other_address = excluded.other_address,
    box = case when excluded.box = 1 then excluded.box else threads.box end`;

const insertText = `
with input as (
  select *, sender < recipient as sender_first from unnest(
    $1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::smallint[], $8::text[],
    $9::text[], $10::text[], $11::json[], $12::uuid[], $13::smallint[], $14::smallint[], $15::smallint[],
    $16::timestamptz[], $17::text[], $18::text[], $19::bytea[], $20::uuid[], $21::text[], $22::bytea[],
    $23::uuid[], $24::uuid[], $25::uuid[], $26::boolean[], $27::boolean[], $28::smallint[],
    $29::uuid[], $30::text[], $31::bytea[], $32::text[])
  with ordinality as input(
    id, thread, sender, recipient, sender_address, sender_name, sender_status, recipient_address,
    title, body, data, reply_to, request_kind, via, box,
    at, operation, request_id, digest, event_id, event_type, event,
    person, sender_person, holder, declined, acquaints, counts_as,
    item_event_id, item_event_type, item_event, envelope, n)
),
claimed as (
  insert into messages.requests (caller, operation, request_id, digest, message, at)
  select sender, operation, request_id, digest, id, at from input where request_id is not null
  order by sender, operation, request_id
  on conflict do nothing
  returning message
),
fresh as (
  select * from input where request_id is null or id in (select message from claimed)
),
sides as (
  select id, n, sender as owner, 0 as received, 0 as unread from fresh
  union all
  -- A message that is declined, or waits at another than its recipient, is not unread.
  select id, n, recipient, 1, case when declined or holder is not null then 0 else 1 end from fresh
),
moved as (
  select owner, count(*) as by, sum(received) as received, sum(unread) as unread from sides group by owner
),
boxes as (
  insert into messages.mailboxes (owner, last_seq, unread)
  select owner, by, unread from moved order by owner
  on conflict (owner) do update set
    last_seq = mailboxes.last_seq + excluded.last_seq,
    unread = mailboxes.unread + excluded.unread
  returning owner, last_seq, unread
),
numbered as (
  select s.id, s.received,
    b.last_seq - count(*) over (partition by s.owner) + row_number() over (partition by s.owner order by s.n) as seq
  from sides s join boxes b on b.owner = s.owner
),
placed as (
  select id, max(seq) filter (where received = 0) as sender_seq, max(seq) filter (where received = 1) as recipient_seq
  from numbered group by id
),
written as (
  ${insertRow}
  select f.id, f.thread, f.sender, f.recipient, p.sender_seq, p.recipient_seq,
    case when f.sender_first then p.sender_seq else p.recipient_seq end,
    f.sender_address, f.sender_name, f.sender_status, f.recipient_address,
    f.title, f.body, f.data, f.reply_to, f.request_kind, f.via, f.box, f.at, case when f.declined then f.at end,
    f.person, f.sender_person, f.holder, f.counts_as, f.envelope
  from fresh f join placed p on p.id = f.id
  returning id, recipient
),
thread_sides as (
  -- A sender takes the thread into their own inbox, unless the message is a polite no.
  select f.sender as owner, f.thread, f.recipient as other, f.recipient_address as other_address,
    p.sender_seq as seq, f.at, 1::smallint as box
  from fresh f join placed p on p.id = f.id where f.acquaints
  union all
  select f.recipient, f.thread, f.sender, f.sender_address, p.recipient_seq, f.at, f.box
  from fresh f join placed p on p.id = f.id where not f.declined and (f.holder is null or f.box = 3)
),
threaded as (
  insert into messages.threads (owner, id, other, other_address, last_seq, last_at, box)
  select distinct on (owner, thread) owner, thread, other, other_address, seq, at, box
  from thread_sides order by owner, thread, seq desc
  ${moveThread}
),
met as (
  insert into messages.contacts (owner, other, since)
  select distinct on (sender, recipient) sender, recipient, at
  from fresh where acquaints order by sender, recipient, at
  on conflict do nothing
),
announced as (
  insert into messages.outbox (id, type, event)
  select event_id, event_type, event from fresh where event_id is not null
  union all
  select item_event_id, item_event_type, item_event from fresh where item_event_id is not null
)
-- The statement sees messages as they were before any that it waited for at the lock.
select w.id, least(b.unread, 1000) as unread, v.received = 1 and b.last_seq = v.by + coalesce((
    select m.last_seq from messages.mailboxes m where m.owner = w.recipient), 0) as alone, (
    select m.id from messages.messages m
    where m.recipient = w.recipient and m.read_at is null and m.retracted_at is null
      and m.recipient_deleted_at is null and m.holder is null
    order by m.recipient_seq desc limit 1) as before
from written w join boxes b on b.owner = w.recipient join moved v on v.owner = w.recipient`;

/** `insertText` for a single message, the usual case at ordinary load: no grouping, sorting or numbering. */
const insertOneText = `
with claimed as (
  insert into messages.requests (caller, operation, request_id, digest, message, at)
  select $3::uuid, $17::text, $18::text, $19::bytea, $1::uuid, $16::timestamptz where $18::text is not null
  on conflict do nothing
  returning message
),
boxes as (
  insert into messages.mailboxes (owner, last_seq, unread)
  select owner, 1, unread
  from (values ($3::uuid, 0), ($4::uuid, case when $26::boolean or $25::uuid is not null then 0 else 1 end)) as sides (owner, unread)
  where $18::text is null or exists (select from claimed)
  order by owner
  on conflict (owner) do update set
    last_seq = mailboxes.last_seq + excluded.last_seq,
    unread = mailboxes.unread + excluded.unread
  returning owner, last_seq, unread
),
placed as (
  select s.last_seq as sender_seq, r.last_seq as recipient_seq, r.unread
  from boxes s, boxes r where s.owner = $3::uuid and r.owner = $4::uuid
),
written as (
  ${insertRow}
  select $1::uuid, $2::uuid, $3::uuid, $4::uuid, p.sender_seq, p.recipient_seq,
    case when $3::uuid < $4::uuid then p.sender_seq else p.recipient_seq end,
    $5::text, $6::text, $7::smallint, $8::text,
    $9::text, $10::text, $11::json, $12::uuid, $13::smallint, $14::smallint, $15::smallint, $16::timestamptz,
    case when $26::boolean then $16::timestamptz end,
    $23::uuid, $24::uuid, $25::uuid, $28::smallint, $32::text
  from placed p
),
threaded as (
  insert into messages.threads (owner, id, other, other_address, last_seq, last_at, box)
  select $3::uuid, $2::uuid, $4::uuid, $8::text, p.sender_seq, $16::timestamptz, 1::smallint
  from placed p where $27::boolean
  union all
  select $4::uuid, $2::uuid, $3::uuid, $5::text, p.recipient_seq, $16::timestamptz, $15::smallint
  from placed p where not $26::boolean and ($25::uuid is null or $15::smallint = 3)
  ${moveThread}
),
met as (
  insert into messages.contacts (owner, other, since)
  select $3::uuid, $4::uuid, $16::timestamptz from placed where $27::boolean
  on conflict do nothing
),
announced as (
  insert into messages.outbox (id, type, event)
  select $20::uuid, $21::text, $22::bytea from placed where $20::uuid is not null
  union all
  select $29::uuid, $30::text, $31::bytea from placed where $29::uuid is not null
)
select $1::uuid as id, least(p.unread, 1000) as unread, p.recipient_seq = 1 + coalesce((
    select m.last_seq from messages.mailboxes m where m.owner = $4::uuid), 0) as alone, (
    select m.id from messages.messages m
    where m.recipient = $4::uuid and m.read_at is null and m.retracted_at is null
      and m.recipient_deleted_at is null and m.holder is null
    order by m.recipient_seq desc limit 1) as before
from placed p`;
