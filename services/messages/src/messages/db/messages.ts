import { type Db, type Fragment, fragment, named, raw, type Tx } from '@hearth/db';
import { type MessageRow, messageColumns } from '../../shared/db/message-row.ts';
import { visible } from '../../shared/db/messages.ts';

/** A thread's messages, newest first, in the order that both sides see; `before` is a thread_seq. */
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
  /** Inbox, requests, or both. */
  boxes: number[];
  thread: string | null;
  from: string | null;
  /** Only messages above this number in the viewer's mailbox. */
  after: number | null;
  /** Only messages below this number in the viewer's mailbox. */
  before: number | null;
  oldestFirst: boolean;
  limit: number;
}

/** Received messages that match. Each filter has its own statement, so that each uses the right index. */
export function listReceived(db: Db, viewer: string, filter: ListFilter): Promise<MessageRow[]> {
  const { after, before, boxes, from, limit, oldestFirst, thread, unreadOnly } = filter;
  const direction = oldestFirst ? 'asc' : 'desc';
  const order = fragment`order by m.recipient_seq ${raw(direction)} limit ${limit}`;
  const matches = fragment`
    m.recipient = ${viewer} and m.recipient_deleted_at is null and m.holder is null
    ${unreadOnly ? fragment`and m.read_at is null and m.retracted_at is null` : raw('')}
    ${thread === null ? raw('') : fragment`and m.thread = ${thread}`}
    ${from === null ? raw('') : fragment`and m.sender_address = ${from}`}
    and m.recipient_seq > coalesce(${after}::bigint, 0)
    and m.recipient_seq < coalesce(${before}::bigint, 9223372036854775807)`;
  const [box] = boxes;
  const filters = [
    ...(unreadOnly ? ['unread'] : []),
    ...(thread === null ? [] : ['thread']),
    ...(from === null ? [] : ['from']),
  ];
  const name = (of: string) => named(['messages_list_received', direction, ...filters, of].join('_'));
  if (boxes.length === 1)
    return db.query<MessageRow>(name(`box_${box}`)`
      select ${messageColumns} from messages.messages m where ${matches} and m.box = ${raw(box!)} ${order}`);
  if (filters.length > 0)
    return db.query<MessageRow>(name('boxes')`
      select ${messageColumns} from messages.messages m
      where ${matches} and m.box = any(${boxes}::smallint[]) ${order}`);
  return db.query<MessageRow>(name('each_box')`
    select ${messageColumns} from unnest(${boxes}::smallint[]) b (box)
    cross join lateral (select * from messages.messages m where ${matches} and m.box = b.box ${order}) m ${order}`);
}

/** Messages waiting at the front door, newest first, for its AI and for the recipient. */
export function listAtFrontDoor(
  db: Db,
  viewer: string,
  filter: {
    before: { at: Date; id: string } | null;
    /** Only messages after this time. */
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

/** Sent messages that match; `unreadOnly`, `from` and `boxes` do not apply. */
export function listSent(db: Db, viewer: string, filter: ListFilter): Promise<MessageRow[]> {
  const { thread } = filter;
  return db.query<MessageRow>(named(`messages_list_sent_${thread === null ? 'all' : 'thread'}`)`
    select ${messageColumns} from messages.messages m
    where m.sender = ${viewer} and m.sender_deleted_at is null
      ${thread === null ? raw('') : fragment`and m.thread = ${thread}`}
      and m.sender_seq > coalesce(${filter.after}::bigint, 0)
      and m.sender_seq < coalesce(${filter.before}::bigint, 9223372036854775807)
    order by m.sender_seq desc limit ${filter.limit}`);
}

/**
 * The message's number in the mailbox of `viewer`, who is one of its sides (even if they deleted it), and in
 * its thread.
 */
export async function placeOf(
  db: Db,
  viewer: string,
  id: string,
): Promise<{ seq: number; thread: string; thread_seq: number } | null> {
  return await db.maybeOne<{ seq: number; thread: string; thread_seq: number }>(named('messages_place_of')`
    select case when m.recipient = ${viewer} then m.recipient_seq else m.sender_seq end as seq, m.thread, m.thread_seq
    from messages.messages m where m.id = ${id} and ${viewer} in (m.recipient, m.sender)`);
}

/**
 * A number in the viewer's mailbox that separates messages up to the time from later ones. Binary search,
 * since numbers rise with time.
 */
export async function seqAt(db: Db, viewer: string, time: Date): Promise<number> {
  const newestIn = (side: 'recipient' | 'sender') => {
    const seq = raw(`m.${side}_seq`);
    // A message first seen at the front door or by a guardian was numbered on its release.
    const at = raw(side === 'recipient' ? 'coalesce(m.released_at, m.at)' : 'm.at');
    return fragment`(
      select ${seq} as seq, ${at} as at from messages.messages m
      where m.${raw(side)} = ${viewer} and ${seq} > s.low and ${seq} <= middle.seq
      order by ${seq} desc limit 1)`;
  };
  const { seq } = await db.one<{ seq: number }>(named('messages_seq_at')`
    with recursive search (low, high) as (
      select 0::bigint, b.last_seq from messages.mailboxes b where b.owner = ${viewer}
      union all
      select case when newest.at > ${time} then s.low else middle.seq end,
        case when newest.at > ${time} then newest.seq - 1 else s.high end
      from search s
      cross join lateral (select (s.low + s.high + 1) / 2 as seq) middle
      left join lateral (
        select both_sides.seq, both_sides.at
        from (${newestIn('recipient')} union all ${newestIn('sender')}) both_sides
        order by both_sides.seq desc limit 1) newest on true
      where s.low < s.high)
    select coalesce(max(low), 0) as seq from search`);
  return seq;
}

export const unreadOf = (owner: string | Fragment) => fragment`
  recipient = ${owner} and read_at is null and retracted_at is null and recipient_deleted_at is null
    and holder is null`;

/** Marks messages as read. Returns how many were unread. */
export function markRead(tx: Tx, owner: string, ids: string[], at: Date): Promise<number> {
  return tx.execute(named('messages_mark_read')`
    update messages.messages set read_at = ${at} where ${unreadOf(owner)} and id = any(${ids}::uuid[])`);
}

export interface UnreadCount {
  /** At most 1,000. */
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
