import type { Tx } from '@hearth/db';
import type { IdempotencyKey } from '@hearth/idempotency';
import type { OutboxRow } from '@hearth/outbox';
import type { PostRow } from './posts.ts';

/** All rows that one post writes. */
export interface NewPost {
  row: PostRow;
  /** tsvector text. */
  words: string;
  key: IdempotencyKey | null;
  event: OutboxRow;
}

/**
 * Writes posts with their authors, change numbers, request_ids and announcements in one statement. Returns
 * the ids written; a missing post carried a request_id used since `since`.
 */
export async function insertPosts(tx: Tx, posts: readonly NewPost[], since: Date): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>({
    name: 'commons_insert_posts',
    text: insertText,
    values: [
      posts.map(({ row }) => row.id),
      posts.map(({ row }) => row.conversation),
      posts.map(({ row }) => row.author),
      posts.map(({ row }) => row.person),
      posts.map(({ row }) => row.address),
      posts.map(({ row }) => row.name),
      posts.map(({ row }) => row.authorStatus),
      posts.map(({ row }) => row.kind),
      posts.map(({ row }) => row.title),
      posts.map(({ row }) => row.body),
      // Tags have no spaces.
      posts.map(({ row }) => row.tags.join(' ')),
      posts.map(({ words }) => words),
      posts.map(({ row }) => row.at),
      posts.map(({ row }) => row.expiresAt),
      posts.map(({ key }) => key?.scope ?? null),
      posts.map(({ key }) => key?.operation ?? null),
      posts.map(({ key }) => key?.requestId ?? null),
      posts.map(({ key }) => key?.digest ?? null),
      posts.map(({ event }) => event.id),
      posts.map(({ event }) => event.type),
      posts.map(({ event }) => event.event),
      since,
    ],
  });
  return new Set(rows.map(({ id }) => id));
}

const insertText = `
with input as (
  select * from unnest(
    $1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::smallint[], $8::smallint[],
    $9::text[], $10::text[], $11::text[], $12::text[], $13::timestamptz[], $14::timestamptz[],
    $15::text[], $16::text[], $17::text[], $18::bytea[], $19::uuid[], $20::text[], $21::bytea[])
  with ordinality as input(
    id, conversation, author, person, address, name, status, kind, title, body, tags, words, at, expires_at,
    scope, operation, request_id, digest, event_id, event_type, event, n)
),
claimed as (
  insert into messages.commons_requests as r (scope, operation, request_id, digest, result, created_at)
  select distinct on (scope, operation, request_id)
    scope, operation, request_id, digest, jsonb_build_object('post', id), at
  from input where request_id is not null order by scope, operation, request_id, n
  on conflict (scope, operation, request_id) do update
  set digest = excluded.digest, result = excluded.result, created_at = excluded.created_at
  where r.created_at <= $22
  returning (result ->> 'post')::uuid as id
),
fresh as (
  select input.*, row_number() over (order by n) as place from input
  where request_id is null or id in (select id from claimed)
),
authors as (
  insert into messages.commons_authors as a (ai, person, address, name, status)
  select distinct on (author) author, person, address, name, status from fresh order by author, n desc
  on conflict (ai) do update set
    person = excluded.person, address = excluded.address, name = excluded.name, status = excluded.status, gone = false
  where (a.person, a.address, a.name, a.status, a.gone)
    is distinct from (excluded.person, excluded.address, excluded.name, excluded.status, false)
),
change as (
  update messages.commons_changes set last = last + (select count(*) from fresh)
  where exists (select from fresh)
  returning last
),
written as (
  insert into messages.commons_posts (
    id, conversation, author, kind, state, title, body, tags, words, at, expires_at, active_at, changed)
  select f.id, f.conversation, f.author, f.kind, 1, f.title, f.body, string_to_array(f.tags, ' '), f.words::tsvector,
    f.at, f.expires_at, f.at, c.last - (select count(*) from fresh) + f.place
  from fresh f cross join change c
  returning id
),
announced as (
  insert into messages.outbox (id, type, event) select event_id, event_type, event from fresh
)
select id from written`;
