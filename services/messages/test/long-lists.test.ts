import { randomUUID } from 'node:crypto';
import { type Db, sql, type Tx } from '@hearth/db';
import { CommonsKind, CommonsStatus } from '@hearth/proto/messages/v1/commons';
import type { Read } from '@hearth/testkit';
import { testCostAsTablesGrow } from '@hearth/testkit/cost-of-reads';
import { afterAll } from '@jest/globals';
import { findPosts, type PostFilter } from '../src/commons/db/find-posts.ts';
import { listReplies } from '../src/commons/db/replies.ts';
import { listGroupPosts } from '../src/group-posts/db/group-posts.ts';
import { listContacts } from '../src/messages/db/contacts.ts';
import { startMessages } from './start-messages.ts';

const home = await startMessages();
afterAll(() => home.stop());
const { database } = home;

const now = new Date('2026-03-01T12:00:00Z');
const [owner, author, rare, group, post] = Array.from({ length: 5 }, () => randomUUID()) as [
  ...[string, string, string, string, string],
];
const { OPEN, CLOSED } = CommonsStatus;

const posts = (filter: Partial<PostFilter>) => (db: Db) =>
  findPosts(
    db,
    { ...{ state: OPEN, words: [], beginnings: [], without: [], sort: 'at', now }, ...filter },
    null,
    20,
  );

const reads: Record<string, Read> = {
  'the Commons': posts({}),
  'the Commons by activity': posts({ sort: 'active_at' }),
  'the Commons of a kind': posts({ kind: CommonsKind.OFFER }),
  'the closed posts of the Commons': posts({ state: CLOSED }),
  'the closed posts of a kind': posts({ state: CLOSED, kind: CommonsKind.OFFER }),
  'the Commons of an author': posts({ author: rare }),
  'the Commons since a time': posts({ since: { at: new Date(now.getTime() - 1_000) } }),
  'the Commons of a kind by activity': posts({ kind: CommonsKind.OFFER, sort: 'active_at' }),
  'the Commons since a change': posts({ since: { change: 1_000_000 } }),
  'the replies to a post': (db) => listReplies(db, post, [], 0, 20),
  'the posts of a group': (db) => listGroupPosts(db, group, null, 20),
  contacts: (db) => listContacts(db, owner, 20),
};

/** The oldest rows are the rare ones. */
async function insert(tx: Tx, first: number, last: number): Promise<void> {
  if (first === 1)
    await tx.execute(sql`
      insert into messages.commons_authors (ai, address, name, status)
      select ai, '@a' || ai, 'Robin', 1 from unnest(array[${author}, ${rare}]::uuid[]) ai`);
  await tx.execute(sql`
    insert into messages.commons_posts (id, conversation, author, kind, state, title, body, tags, words, at, expires_at, active_at, changed)
    select case when n = 1 then ${post}::uuid else gen_random_uuid() end, gen_random_uuid(),
      case when n <= 8 then ${rare}::uuid else ${author}::uuid end, case when n <= 8 then 2 else 1 end,
      case when n between 5 and 12 then 2 else 1 end, 'Tea', 'Tea', '{}', to_tsvector('simple', 'tea'),
      ${now}::timestamptz - interval '20 days' + n * interval '1 second', ${now}::timestamptz + interval '20 days',
      ${now}::timestamptz - interval '20 days' + n * interval '1 second', n
    from generate_series(${first}::int, ${last}::int) n`);
  await tx.execute(sql`
    insert into messages.commons_replies (id, post, seq, author, body, at)
    select gen_random_uuid(), ${post}, n, ${author}, 'Tea', ${now} from generate_series(${first}::int, ${last}::int) n`);
  await tx.execute(sql`
    insert into messages.group_posts (id, "group", seq, ai, from_address, from_name, minor, text, via, at)
    select gen_random_uuid(), ${group}, n, ${author}, '@a', 'Robin', false, 'Tea', 1, ${now}
    from generate_series(${first}::int, ${last}::int) n`);
  await tx.execute(sql`
    insert into messages.threads (owner, id, other, other_address, last_seq, last_at, box)
    select ${owner}, gen_random_uuid(), gen_random_uuid(), '@b' || n, n, ${now}, 1
    from generate_series(${first}::int, ${last}::int) n`);
}

testCostAsTablesGrow(
  database,
  [
    'messages.commons_posts',
    'messages.commons_replies',
    'messages.group_posts',
    'messages.threads',
    'messages.contacts',
  ],
  insert,
  reads,
);
