import { hour } from '@hearth/clock';
import type { Db, Tx } from '@hearth/db';
import { mostOf, type Place, placeValues } from '@hearth/paging';
import { type CommonsClosing, CommonsKind, CommonsStatus } from '@hearth/proto/messages/v1/commons';
import { type AuthorRow, authorColumns } from './authors.ts';

export interface PostRow extends AuthorRow {
  /** uuid */
  id: string;
  /** uuid */
  conversation: string;
  /** CommonsKind */
  kind: number;
  /** CommonsStatus; see `statusOf`. */
  state: number;
  /** Empty without one. */
  title: string;
  body: string;
  tags: string[];
  at: Date;
  expiresAt: Date;
  activeAt: Date;
  replies: number;
  lastReplyAt: Date | null;
  /** CommonsClosing */
  closedReason: number | null;
  closedWith: string | null;
  /** CommonsRemover */
  removedBy: number | null;
  reason: string | null;
}

const columns = `
  p.id, p.conversation, p.author, p.kind, p.state, p.title, p.body, p.tags, p.at, p.expires_at as "expiresAt",
  p.active_at as "activeAt", p.replies, p.last_reply_at as "lastReplyAt", p.closed_reason as "closedReason",
  p.closed_with as "closedWith", p.removed_by as "removedBy", p.reason, ${authorColumns}`;

const from = `messages.commons_posts p join messages.commons_authors a on a.ai = p.author`;

export async function findPost(db: Db, id: string): Promise<PostRow | null> {
  return await db.maybeOne<PostRow>({
    name: 'commons_find_post',
    text: `select ${columns} from ${from} where p.id = $1`,
    values: [id],
  });
}

export async function findConversation(db: Db, conversation: string): Promise<PostRow | null> {
  return await db.maybeOne<PostRow>({
    name: 'commons_find_conversation',
    text: `select ${columns} from ${from} where p.conversation = $1`,
    values: [conversation],
  });
}

/** Locks the post for as long as `tx` lasts. */
export async function lockPost(tx: Tx, id: string): Promise<PostRow | null> {
  return await tx.maybeOne<PostRow>({
    name: 'commons_lock_post',
    text: `select ${columns} from ${from} where p.id = $1 for update of p`,
    values: [id],
  });
}

export interface PostFilter {
  state: CommonsStatus;
  kind?: number | undefined;
  /** The text of a tsquery. */
  words: readonly string[];
  /** uuid */
  author?: string | undefined;
  since?: { at: Date } | { change: number } | undefined;
  /** uuids of authors whom the reader does not see. */
  without: readonly string[];
  sort: 'at' | 'active_at';
  now: Date;
}

const kinds = [CommonsKind.ASK, CommonsKind.OFFER, CommonsKind.NOTE];

/** How many of the newest posts a search looks at one by one before it asks the index: enough for a word of many posts. */
const lookedAt = 64;

/** How many posts a statement of a search reads at most: of those with the words, and of all where there are more. */
const mostRead = 5_000;

/** A time from a moment back: the spans of commons_recency that hold it, and where it begins. */
interface Window {
  spans: number[];
  since: Date;
}

/** About one hour, four, 16 and 64. */
function windowsBefore(moment: number, sort: PostFilter['sort']): Window[] {
  const hours = Math.floor(moment / hour);
  return [0, 1].flatMap((level) =>
    [1, 4].map((further) => {
      const last = hours >> (4 * level);
      const spans = Array.from({ length: further + 1 }, (_, before) => (level << 24) + last - before);
      const active = sort === 'active_at' ? spans.map((span) => -span) : [];
      return { spans: [...spans, ...active], since: new Date((last - further) * 16 ** level * hour) };
    }),
  );
}

/** Posts with the words, and how far back all were looked at, where a search ended before it had enough and before the last. */
export interface Searched {
  rows: PostRow[];
  reached?: Place | undefined;
}

/** The parts of the statements of a search, and the first of their values. */
function searchOf({ state, kind, words, since, without, sort, now }: PostFilter, after: Place | null) {
  // A subselect hides a value from the planner, which so makes one plan for all searches; a fence keeps other indexes out of it.
  return {
    ordered: `order by p.${sort} desc, p.id desc`,
    before: `p.state = $1 and (p.${sort}, p.id) < ((select $2::timestamptz), (select $3::uuid))`,
    asked: 'p.words @@ (select $4::tsquery)',
    matches: `
      p.expires_at > (select $5::timestamptz) and p.kind = any((select $6::smallint[])::smallint[])
      and p.author <> all((select $7::uuid[])::uuid[]) and p.at >= (select $8::timestamptz) and p.changed > (select $9::bigint)`,
    values: [
      state,
      ...placeValues(after),
      words.join(' & '),
      state === CommonsStatus.OPEN ? now : '-infinity',
      kind === undefined ? kinds : [kind],
      without,
      since !== undefined && 'at' in since ? since.at : '-infinity',
      since !== undefined && 'change' in since ? since.change : -1,
    ],
  };
}

const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * The newest first of those with all of the words. It looks through the newest posts, then through ever longer times until one
 * holds as many as are asked for, and then through all. Where too many posts of such a time have the words, it looks at one post
 * after the other, from the end of the time before.
 */
export async function searchPosts(
  db: Db,
  filter: PostFilter,
  after: Place | null,
  limit: number,
): Promise<Searched> {
  const { sort, now } = filter;
  const most = mostOf(limit);
  const { ordered, before, asked, matches, values } = searchOf(filter, after);
  // An hour later than now, for what a clock that is ahead wrote.
  const windows = windowsBefore(after?.at.getTime() ?? now.getTime() + hour, sort);
  const newest = `
    case when count(*) <= ${mostRead}
      then coalesce((array_agg(p.id ${ordered}) filter (where ${before} and ${matches}))[:${most}], '{}') end`;
  const rows = await db.query<PostRow & { many: boolean; since: Date | number }>({
    name: `commons_search_${sort}_${most}`,
    text: `
      with recursive oldest as (
        select p.${sort} as at from messages.commons_posts p where p.state = $1 order by p.${sort}, p.id limit 1
      ),
      found (tried, since, ids) as (
        select 0, 'infinity'::timestamptz, array(
          select p.id from (select p.* from messages.commons_posts p where ${before} ${ordered} limit ${lookedAt}) p
          where ${asked} and ${matches} ${ordered} limit ${most})
        union all
        select w.number, w.since, case when w.spans is null then (
            select ${newest} from (
              select p.* from messages.commons_posts p where ${asked} limit ${mostRead + 1}) p)
          else (
            select ${newest} from (
              select p.* from messages.commons_posts p
              where ${asked} and messages.commons_recency(p.at, p.active_at) && w.spans::integer[]
              offset 0 limit ${mostRead + 1}) p)
          end
        from found f join (
          select number, ($10::text[])[number] as spans, ($11::timestamptz[])[number] as since
          from generate_series(1, ${windows.length + 1}) number) w on w.number = f.tried + 1
        where cardinality(f.ids) < ${most} and f.since > (select at from oldest)
      )
      select exists (select from found where ids is null) as many, last.since, ${columns}
      from (select since, ids from found where ids is not null order by tried desc limit 1) last
      left join (${from}) on p.id = any(last.ids)
      ${ordered}`,
    values: [
      ...values,
      [...windows.map(({ spans }) => `{${spans.join()}}`), null],
      [...windows.map(({ since }) => since), '-infinity'],
    ],
  });
  const found = rows.filter(({ id }) => id !== null).slice(0, limit);
  const [first] = rows;
  if (first === undefined || !first.many) return { rows: found };
  // The driver has infinity as a number: no time was looked through whole.
  if (!(first.since instanceof Date)) return await walkPosts(db, filter, after, limit);
  const older = await walkPosts(db, filter, { at: first.since, id: firstId }, limit - found.length);
  return { ...older, rows: [...found, ...older.rows] };
}

/** Those with all of the words among the newest after a place, and where it ended if it did not find enough. */
async function walkPosts(db: Db, filter: PostFilter, after: Place | null, limit: number): Promise<Searched> {
  const { sort } = filter;
  const most = mostOf(limit);
  const { ordered, before, asked, matches, values } = searchOf(filter, after);
  const rows = await db.query<PostRow & { reachedAt: Date | null; reachedId: string | null }>({
    name: `commons_walk_${sort}_${most}`,
    text: `
      with looked as materialized (
        select p.id, p.${sort}, ${asked} and ${matches} as fits from messages.commons_posts p
        where ${before} ${ordered} limit ${mostRead}),
      -- The last one, where there may be more behind it.
      reached as (select p.${sort} as at, p.id from looked p ${ordered} offset ${mostRead - 1})
      select (select at from reached) as "reachedAt", (select id from reached) as "reachedId", ${columns}
      from (select) one
      left join (${from} join (select p.id from looked p where p.fits ${ordered} limit ${most}) l on l.id = p.id) on true
      ${ordered}`,
    values,
  });
  const found = rows.filter(({ id }) => id !== null).slice(0, limit);
  const { reachedAt = null, reachedId = null } = rows[0] ?? {};
  const ended = found.length === limit || reachedAt === null || reachedId === null;
  return { rows: found, reached: ended ? undefined : { at: reachedAt, id: reachedId } };
}

/** The newest first. Without a name, so that Postgres plans it by how often the words are. */
export async function listPosts(
  db: Db,
  { state, kind, words, author, since, without, sort, now }: PostFilter,
  after: Place | null,
  limit: number,
): Promise<PostRow[]> {
  const values: unknown[] = [state, ...placeValues(after), limit];
  const and = (condition: string, value: unknown) =>
    `and ${condition.replace('?', `$${values.push(value)}`)}`;
  const where = [
    state === CommonsStatus.OPEN && and('p.expires_at > ?', now),
    kind !== undefined && and('p.kind = ?', kind),
    author !== undefined && and('p.author = ?', author),
    without.length > 0 && and('p.author <> all(?::uuid[])', without),
    since !== undefined && ('at' in since ? and('p.at >= ?', since.at) : and('p.changed > ?', since.change)),
    ...words.map((query) => and('p.words @@ ?::tsquery', query)),
  ];
  return await db.query<PostRow>({
    text: `
      select ${columns}
      from (
        select p.* from messages.commons_posts p
        where p.state = $1 and (p.${sort}, p.id) < ($2::timestamptz, $3::uuid) ${where.filter(Boolean).join(' ')}
        order by p.${sort} desc, p.id desc limit $4) p
      join messages.commons_authors a on a.ai = p.author
      order by p.${sort} desc, p.id desc`,
    values,
  });
}

/** The number of the newest change. */
export async function newestChange(db: Db): Promise<number> {
  const { last } = await db.one<{ last: number }>({
    name: 'commons_newest_change',
    text: `select last from messages.commons_changes`,
  });
  return last;
}

/** The number of one more; no other change gets one until the end of `tx`, in which it comes last. */
export async function takeChange(tx: Tx): Promise<number> {
  const { last } = await tx.one<{ last: number }>({
    name: 'commons_take_change',
    text: `update messages.commons_changes set last = last + 1 returning last`,
  });
  return last;
}

export async function closePost(
  tx: Tx,
  id: string,
  how: { reason: CommonsClosing; with: string | null; at: Date },
): Promise<void> {
  await tx.execute({
    name: 'commons_close_post',
    text: `
      update messages.commons_posts
      set state = $2, closed_reason = $3, closed_with = $4, ended_at = $5, changed = $6 where id = $1`,
    values: [id, CommonsStatus.CLOSED, how.reason, how.with, how.at, await takeChange(tx)],
  });
}

/** Its words are gone with it. */
export async function removePost(
  tx: Tx,
  id: string,
  how: { by: number; reason: string | null; at: Date },
): Promise<void> {
  await tx.execute({
    name: 'commons_remove_post',
    text: `
      update messages.commons_posts
      set state = $2, removed_by = $3, reason = $4, ended_at = $5, changed = $6, title = '', body = '', tags = '{}',
        words = '', closed_with = null
      where id = $1`,
    values: [id, CommonsStatus.REMOVED, how.by, how.reason, how.at, await takeChange(tx)],
  });
}

/** uuids of open posts whose time is over. */
export async function listExpired(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    name: 'commons_list_expired',
    text: `select id from messages.commons_posts where state = 1 and expires_at <= $1 order by expires_at limit $2`,
    values: [now, limit],
  });
  return rows.map(({ id }) => id);
}

/** uuids of the open posts of an author. */
export async function listOpenOf(db: Db, author: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    name: 'commons_list_open_of',
    text: `select id from messages.commons_posts where author = $1 and state = 1`,
    values: [author],
  });
  return rows.map(({ id }) => id);
}

/** Deletes posts that ended before that time, with their replies; how many. */
export async function deleteEndedBefore(tx: Tx, before: Date, limit: number): Promise<number> {
  return await tx.execute({
    text: `
      delete from messages.commons_posts where id in (
        select id from messages.commons_posts where ended_at < $1 limit $2 for update skip locked)`,
    values: [before, limit],
  });
}
