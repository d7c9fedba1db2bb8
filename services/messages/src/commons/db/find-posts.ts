import { hour } from '@hearth/clock';
import type { Db } from '@hearth/db';
import { mostOf, type PagePosition, placeValues } from '@hearth/paging';
import { CommonsKind, CommonsStatus } from '@hearth/proto/messages/v1/commons';
import { fromPosts, type PostRow, postColumns } from './posts.ts';

export interface PostFilter {
  state: CommonsStatus;
  kind?: number | undefined;
  /** `tsquery` texts. */
  words: readonly string[];
  /**
   * `tsquery` texts with a prefix match, kept apart because the index would read all posts with any matching
   * word.
   */
  beginnings: readonly string[];
  /** uuid */
  author?: string | undefined;
  since?: { at: Date } | { change: number } | undefined;
  /** uuids of the authors hidden from the reader. */
  without: readonly string[];
  sort: 'at' | 'active_at';
  now: Date;
}

const kinds = [CommonsKind.ASK, CommonsKind.OFFER, CommonsKind.NOTE];

/**
 * The number of newest posts that a search scans before it uses the index or goes further; enough for a
 * common word.
 */
const lookedAt = 64;

/**
 * The most posts that one search statement reads, among the matches or, if there are more, among all posts.
 */
const mostRead = 5_000;

/** A time span back from some moment: the commons_recency spans that cover it, and its start. */
interface Window {
  spans: number[];
  since: Date;
}

/** Windows of about 1, 4, 16 and 64 hours. */
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

/**
 * Matching posts; `reached` is the last place scanned if the search stopped before it had enough or reached
 * the end.
 */
export interface Searched {
  rows: PostRow[];
  reached?: PagePosition | undefined;
}

/** The parts of the search statements for these words, with the first of their values. */
function searchOf(filter: PostFilter, after: PagePosition | null, words: readonly string[]) {
  const { state, kind, since, without, sort, now } = filter;
  // A sub-select hides a value from the planner, so that one plan serves all searches; a fence keeps other
  // indexes out of it.
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
      queryOf(words),
      state === CommonsStatus.OPEN ? now : '-infinity',
      kind === undefined ? kinds : [kind],
      without,
      since !== undefined && 'at' in since ? since.at : '-infinity',
      since !== undefined && 'change' in since ? since.change : -1,
    ],
  };
}

const queryOf = (parts: readonly string[]) => (parts.length === 0 ? null : parts.join(' & '));

const firstId = '00000000-0000-0000-0000-000000000000';

/** The matching posts, newest first. */
export async function findPosts(
  db: Db,
  filter: PostFilter,
  after: PagePosition | null,
  limit: number,
): Promise<Searched> {
  const { words, beginnings, author } = filter;
  // No index covers an author's posts by word, or posts by prefix.
  if (author !== undefined || (words.length === 0 && beginnings.length > 0))
    return await walkPosts(db, filter, after, limit);
  if (words.length > 0) return await searchPosts(db, filter, after, limit);
  return { rows: await listPosts(db, filter, after, limit) };
}

/**
 * Posts with all of the words, newest first. Searches the newest posts, then ever longer windows until one
 * holds enough, then all posts. If too many posts of a window match, scans posts one by one from the end of
 * the previous window.
 */
async function searchPosts(
  db: Db,
  filter: PostFilter,
  after: PagePosition | null,
  limit: number,
): Promise<Searched> {
  const { beginnings, sort, now, words } = filter;
  const most = mostOf(limit);
  const { ordered, before, asked, matches: others, values } = searchOf(filter, after, words);
  const matches = `${others} and ((select $10::tsquery) is null or p.words @@ (select $10::tsquery))`;
  // An hour ahead of now, for posts written under a clock that is fast.
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
          select number, ($11::text[])[number] as spans, ($12::timestamptz[])[number] as since
          from generate_series(1, ${windows.length + 1}) number) w
          -- Where there is none, one more is not likely in a little more time.
          on w.number = least(f.tried + case when cardinality(f.ids) = 0 then 2 else 1 end, ${windows.length + 1})
        where cardinality(f.ids) < ${most} and f.since > (select at from oldest)
      )
      select exists (select from found where ids is null) as many, last.since, ${postColumns}
      from (select since, ids from found where ids is not null order by tried desc limit 1) last
      left join (${fromPosts}) on p.id = any(last.ids)
      ${ordered}`,
    values: [
      ...values,
      queryOf(beginnings),
      [...windows.map(({ spans }) => `{${spans.join()}}`), null],
      [...windows.map(({ since }) => since), '-infinity'],
    ],
  });
  const found = rows.filter(({ id }) => id !== null).slice(0, limit);
  const [first] = rows;
  if (first === undefined || !first.many) return { rows: found };
  // The driver returns infinity as a number: no window was searched completely.
  if (!(first.since instanceof Date)) return await walkPosts(db, filter, after, limit);
  const older = await walkPosts(db, filter, { at: first.since, id: firstId }, limit - found.length);
  return { ...older, rows: [...found, ...older.rows] };
}

/**
 * Scans posts one by one from a place; returns the matches, and the last place if there were too few. The
 * first few posts usually suffice.
 */
async function walkPosts(
  db: Db,
  filter: PostFilter,
  after: PagePosition | null,
  limit: number,
): Promise<Searched> {
  const first = await walkSome(db, filter, after, limit, lookedAt);
  if (first.reached === undefined) return first;
  const left = limit - first.rows.length;
  const rest = await walkSome(db, filter, first.reached, left, mostRead - lookedAt);
  return { ...rest, rows: [...first.rows, ...rest.rows] };
}

/** @param read the number of posts to scan */
async function walkSome(
  db: Db,
  filter: PostFilter,
  after: PagePosition | null,
  limit: number,
  read: number,
): Promise<Searched> {
  const { author, beginnings, sort, words } = filter;
  const most = mostOf(limit);
  const all = [...words, ...beginnings];
  const { ordered, before, asked, matches, values } = searchOf(filter, after, all);
  const theirs = author === undefined ? '' : 'and p.author = $10';
  const walked = (columns: string) =>
    `select ${columns} from messages.commons_posts p where ${before} ${theirs} ${ordered}`;
  // An index holds the ids of an author's posts in this order; with the posts themselves, Postgres would read
  // and sort them all.
  const newest =
    author === undefined
      ? `(${walked('p.*')} limit ${read}) p`
      : `(${walked('p.id')} limit ${read}) theirs join messages.commons_posts p on p.id = theirs.id`;
  const rows = await db.query<PostRow & { reachedAt: Date | null; reachedId: string | null }>({
    name: `commons_walk_${author === undefined ? '' : 'by_'}${all.length === 0 ? '' : 'words_'}${sort}_${most}_${read}`,
    text: `
      with found as materialized (
        select p.id from ${newest}
        where ${all.length === 0 ? '(select $4::tsquery) is null' : asked} and ${matches} ${ordered} limit ${most}),
      -- The last one that was looked at, where there may be more behind it; of the index alone, and only where too few were found.
      reached as materialized (
        ${walked(`p.${sort} as at, p.id`)} offset ${read - 1} limit 1),
      enough as materialized (select count(*) >= ${most} as enough from found)
      select case when not (select enough from enough) then (select at from reached) end as "reachedAt",
        case when not (select enough from enough) then (select id from reached) end as "reachedId", ${postColumns}
      from (select) one
      left join (${fromPosts} join found on found.id = p.id) on true
      ${ordered}`,
    values: [...values, ...(author === undefined ? [] : [author])],
  });
  const found = rows.filter(({ id }) => id !== null).slice(0, limit);
  const { reachedAt = null, reachedId = null } = rows[0] ?? {};
  const ended = found.length === limit || reachedAt === null || reachedId === null;
  return { rows: found, reached: ended ? undefined : { at: reachedAt, id: reachedId } };
}

/** Posts without a search. Unnamed, so that Postgres plans for the given filters. */
async function listPosts(
  db: Db,
  { state, kind, since, without, sort, now }: PostFilter,
  after: PagePosition | null,
  limit: number,
): Promise<PostRow[]> {
  const values: unknown[] = [state, ...placeValues(after), limit];
  const and = (condition: string, value: unknown) =>
    `and ${condition.replace('?', `$${values.push(value)}`)}`;
  const where = [
    state === CommonsStatus.OPEN && and('p.expires_at > ?', now),
    kind !== undefined && and('p.kind = ?', kind),
    without.length > 0 && and('p.author <> all(?::uuid[])', without),
    since !== undefined && ('at' in since ? and('p.at >= ?', since.at) : and('p.changed > ?', since.change)),
  ];
  return await db.query<PostRow>({
    text: `
      select ${postColumns}
      from (
        select p.* from messages.commons_posts p
        where p.state = $1 and (p.${sort}, p.id) < ($2::timestamptz, $3::uuid) ${where.filter(Boolean).join(' ')}
        order by p.${sort} desc, p.id desc limit $4) p
      join messages.commons_authors a on a.ai = p.author
      order by p.${sort} desc, p.id desc`,
    values,
  });
}
