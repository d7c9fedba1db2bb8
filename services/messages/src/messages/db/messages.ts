import { type Db, type Fragment, fragment, named, raw, type Tx } from '@hearth/db';
import { type MessageRow, messageColumns } from '../../shared/db/message-row.ts';
import { shownToRecipient, visible } from '../../shared/db/messages.ts';

/** Newest first, in the order that both sides see; `before` is a thread_seq. */
export function listThreadMessages(
  db: Db,
  viewer: string,
  thread: string,
  before: number | null,
  limit: number,
): Promise<(MessageRow & { thread_seq: number })[]> {
  return db.query(named('messages_list_thread')`
    select m.thread_seq, ${messageColumns} from messages.messages m
    where ${visible(viewer)} and m.thread = ${thread}
      and m.thread_seq < coalesce(${before}::bigint, 9223372036854775807)
    order by m.thread_seq desc limit ${limit}`);
}

export interface ListFilter {
  unreadOnly: boolean;
  boxes: number[];
  thread: string | null;
  from: string | null;
  /** Only what is newer than this number of the viewer's mailbox. */
  after: number | null;
  /** Only what is older than this number of the viewer's mailbox. */
  before: number | null;
  oldestFirst: boolean;
  limit: number;
}

/** Received messages that match. */
export function listReceived(db: Db, viewer: string, filter: ListFilter): Promise<MessageRow[]> {
  const direction = filter.oldestFirst ? 'asc' : 'desc';
  const unread = raw(filter.unreadOnly ? 'and m.read_at is null and m.retracted_at is null' : '');
  const name = `messages_list_received_${direction}_${filter.unreadOnly ? 'unread' : 'all'}`;
  return db.query<MessageRow>(named(name)`
    select ${messageColumns} from messages.messages m
    where m.recipient = ${viewer} and ${shownToRecipient} ${unread}
      and m.box = any(${filter.boxes}::smallint[])
      and (${filter.thread}::uuid is null or m.thread = ${filter.thread})
      and (${filter.from}::text is null or m.sender_address = ${filter.from})
      and m.recipient_seq > coalesce(${filter.after}::bigint, 0)
      and m.recipient_seq < coalesce(${filter.before}::bigint, 9223372036854775807)
    order by m.recipient_seq ${raw(direction)} limit ${filter.limit}`);
}

/** The messages that wait at the front door, the newest first: for the AI that stands there, and for their recipient. */
export function listAtFrontDoor(
  db: Db,
  viewer: string,
  filter: {
    before: { at: Date; id: string } | null;
    /** Only what came after that time. */
    after: Date | null;
    thread: string | null;
    from: string | null;
    limit: number;
  },
): Promise<MessageRow[]> {
  const { before, after, thread, from, limit } = filter;
  const { at, id } = before ?? { at: null, id: null };
  const matches = fragment`
    (${at}::timestamptz is null or (m.at, m.id) < (${at}, ${id}::uuid))
    and (${after}::timestamptz is null or m.at > ${after})
    and (${thread}::uuid is null or m.thread = ${thread}) and (${from}::text is null
      or m.sender_address = ${from})`;
  return db.query<MessageRow>(named('messages_list_at_front_door')`
    with places as (
      (select m.id, m.at from messages.messages m
        where m.holder = ${viewer} and m.box = 3 and m.retracted_at is null and m.recipient_deleted_at is null
          and ${matches}
        order by m.at desc, m.id desc limit ${limit})
      union
      (select m.id, m.at from messages.messages m
        where m.recipient = ${viewer} and m.box = 3 and m.recipient_deleted_at is null and ${matches}
        order by m.at desc, m.id desc limit ${limit}))
    select ${messageColumns}
    from (select id, at from places order by at desc, id desc limit ${limit}) p
    join messages.messages m on m.id = p.id
    order by m.at desc, m.id desc`);
}

/** Sent messages that match; `unreadOnly`, `from` and `boxes` do not apply to them. */
export function listSent(db: Db, viewer: string, filter: ListFilter): Promise<MessageRow[]> {
  return db.query<MessageRow>(named('messages_list_sent')`
    select ${messageColumns} from messages.messages m
    where m.sender = ${viewer} and m.sender_deleted_at is null
      and (${filter.thread}::uuid is null or m.thread = ${filter.thread})
      and m.sender_seq > coalesce(${filter.after}::bigint, 0)
      and m.sender_seq < coalesce(${filter.before}::bigint, 9223372036854775807)
    order by m.sender_seq desc limit ${filter.limit}`);
}

/** The number of a message in the mailbox of one of its two sides, whether they deleted it or not. */
export async function seqOf(db: Db, viewer: string, id: string): Promise<number | null> {
  const row = await db.maybeOne<{ seq: number }>(named('messages_seq_of')`
    select case when m.recipient = ${viewer} then m.recipient_seq else m.sender_seq end as seq
    from messages.messages m where m.id = ${id} and ${viewer} in (m.recipient, m.sender)`);
  return row?.seq ?? null;
}

/** The number, in the viewer's mailbox, of the newest message at or before that time; 0 with none. */
export async function seqAt(db: Db, viewer: string, time: Date): Promise<number> {
  const { seq } = await db.one<{ seq: number }>(named('messages_seq_at')`
    select greatest(
      (select m.recipient_seq from messages.messages m where m.recipient = ${viewer} and m.at <= ${time}
       order by m.recipient_seq desc limit 1),
      (select m.sender_seq from messages.messages m where m.sender = ${viewer} and m.at <= ${time}
       order by m.sender_seq desc limit 1), 0) as seq`);
  return seq;
}

const unreadOf = (owner: string | Fragment) => fragment`
  recipient = ${owner} and read_at is null and retracted_at is null and recipient_deleted_at is null
    and holder is null`;

/** How many of them were unread and are read now. */
export function markRead(tx: Tx, owner: string, ids: string[], at: Date): Promise<number> {
  return tx.execute(named('messages_mark_read')`
    update messages.messages set read_at = ${at} where ${unreadOf(owner)} and id = any(${ids}::uuid[])`);
}

/** The same for all of a thread up to a number of its order. */
export function markThreadRead(
  tx: Tx,
  owner: string,
  thread: string,
  upTo: string,
  at: Date,
): Promise<number> {
  return tx.execute(named('messages_mark_thread_read')`
    update messages.messages set read_at = ${at}
    where ${unreadOf(owner)} and thread = ${thread}
      and thread_seq <= (select thread_seq from messages.messages where id = ${upTo}
        and thread = ${thread})`);
}

export interface UnreadCount {
  /** Counted up to 1,000. */
  count: number;
  oldest: Date | null;
}

export async function countUnread(db: Db, owner: string): Promise<UnreadCount> {
  const row = await db.maybeOne<UnreadCount>(named('messages_count_unread')`
    select least(b.unread, 1000) as count, (
      select m.at from messages.messages m where ${unreadOf(raw('b.owner'))}
      order by m.recipient_seq limit 1) as oldest
    from messages.mailboxes b where b.owner = ${owner}`);
  return row ?? { count: 0, oldest: null };
}
