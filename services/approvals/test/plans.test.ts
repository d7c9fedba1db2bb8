import type { Db, Statement } from '@hearth/db';
import { claimUnsigned } from '@hearth/receipts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findDue, findOpenOfAskers, unsigned } from '../src/asks/db/approvals.ts';
import { listForApp, listForOwners, type Page } from '../src/asks/db/lists.ts';
import { takeWaitingSends } from '../src/asks/db/waiting-sends.ts';
import { findRequested, findWholes } from '../src/asks/db/whole-approvals.ts';
import { readStanding } from '../src/contact-rules/db/standing.ts';
import { listBlocks } from '../src/requests/db/blocks.ts';
import { countItems, findConcerned, findItem, listItems } from '../src/requests/db/items.ts';
import { listReports } from '../src/requests/db/reports.ts';
import { requestKinds } from '../src/shared/domain/request-kinds.ts';
import { startApprovals, type TestApprovals } from './start-approvals.ts';

let home: TestApprovals;
beforeAll(async () => {
  home = await startApprovals();
  for (const statement of [asks, recipients, items, blocks, reports, 'vacuum analyze']) {
    await home.database.statement((tx) => tx.execute({ text: statement }));
  }
});
afterAll(() => home.stop());

const asks = `
  insert into approvals.approvals (id, kind, request_kind, title, needs, asker_kind, asker, asker_app, asker_address,
    asker_name, asker_verified, digest, request_scope, request_id, status, asked_at, expires_at, settled_at, record,
    signed_answer)
  select md5('ask' || n)::uuid, 'ask', 'personal', 'May I?', 'any', 'person', md5('asker' || n % 50)::uuid,
    md5('app' || n % 10)::uuid, '@robin', 'Robin', true, 'sha-256:', 'scope', n::text,
    case when n % 4 = 0 then 'waiting' else 'approved' end, now() - n * interval '1 minute', now() + interval '1 day',
    case when n % 4 <> 0 then now() end, case when n % 4 <> 0 then gen_random_uuid() end,
    case when n % 4 <> 0 then '{}' end
  from generate_series(1, 20000) n`;
const recipients = `
  insert into approvals.recipients (approval, position, kind, recipient, person, address, name, handling, owner, box,
    asked_at, request_kind, status, decision, mail_next_at)
  select id, 0, 'person', asked, asked, '@wren', 'Wren', 'delivered', asked,
    case when n % 8 = 0 then 'requests' else 'inbox' end, asked_at, request_kind, status, status,
    case when n % 400 = 0 then now() end
  from (select a.*, request_id::int as n, md5('asked' || request_id::int % 50)::uuid as asked
    from approvals.approvals a) a`;
const items = `
  insert into approvals.items (kind, id, part, owner, holder, box, label, since, senders, subject, closed_at)
  select 'message', md5('message' || n)::uuid, 0, md5('asked' || n % 5)::uuid,
    case when n % 2 = 0 then md5('holder' || n % 5)::uuid end, (array['inbox', 'requests', 'front_door'])[1 + n % 7 % 3],
    (array['personal', 'sales', 'other'])[1 + n % 11 % 3], now() - n * interval '1 minute',
    array[md5('sender' || n % 50)::uuid], case when n % 9 = 0 then md5('subject' || n % 50)::uuid end,
    case when n % 13 = 0 then now() end
  from generate_series(1, 20000) n`;
const blocks = `
  insert into approvals.blocks (person, target, target_id, at)
  select md5('asked' || n % 50)::uuid, '@blocked-' || n, gen_random_uuid(), now() - n * interval '1 minute'
  from generate_series(1, 20000) n`;
const reports = `
  insert into approvals.reports (id, about, reason, by_kind, by_id, by_address, at, resolved_at)
  select gen_random_uuid(), '@robin', case when n % 9 = 0 then 'child_safety' else 'spam' end, 'person',
    gen_random_uuid(), '@wren', now() - n * interval '1 minute', case when n % 3 = 0 then now() end
  from generate_series(1, 20000) n`;

const someone = '11111111-1111-4111-8111-111111111111';
const owners = [someone, '22222222-2222-4222-8222-222222222222'] as const;
const now = new Date('2026-03-01T12:00:00.000Z');
const after = { at: now, id: someone };
const page: Page = { status: null, after: null, limit: 21 };
const viewer = { person: someone, caller: owners[1] };
const itemsPage = { labels: requestKinds, now, before: after, limit: 21 };

const statements: Record<string, (db: never) => Promise<unknown>> = {
  'a list': (db) => listForOwners(db, owners, page),
  'a list, further on': (db) => listForOwners(db, owners, { ...page, after }),
  'a list with a status': (db) => listForOwners(db, owners, { ...page, status: 'approved', after }),
  "an app's list": (db) => listForApp(db, someone, { ...page, after }),
  "an app's list with a status": (db) => listForApp(db, someone, { ...page, status: 'approved', after }),
  'the number that waits': (db) => countItems(db, viewer, now, 1_000),
  'approvals by id': (db) => findWholes(db, owners),
  'approvals by request_id': (db) => findRequested(db, 'scope', '7'),
  'the requests box': (db) => listItems(db, viewer, itemsPage),
  'one request': (db) => findItem(db, viewer, { kind: 'message', id: someone }, { now, atDoor: true }),
  'what waits at a door': (db) => findConcerned(db, 'door', someone),
  'what waits for an AI': (db) => findConcerned(db, 'asked', someone),
  'what waits for a person': (db) => findConcerned(db, 'person', someone),
  'what waits for a child': (db) => findConcerned(db, 'child', someone),
  'what waits from a sender': (db) => findConcerned(db, 'sent', someone, someone),
  'what askers wait for': (db) => findOpenOfAskers(db, [someone], 200),
  'what is over': (db) => findDue(db, now, 100),
  'what is not signed': (db) => claimUnsigned(db, unsigned, { before: now, now, until: now, limit: 50 }),
  'sends of the version before': (db) => takeWaitingSends(db, now, 10),
  blocks: (db) => listBlocks(db, someone, { at: now, target: '@robin' }, 21),
  reports: (db) => listReports(db, { resolved: false, after: { rank: 1, ...after }, limit: 21 }),
  'reports, all': (db) => listReports(db, { resolved: true, after: null, limit: 21 }),
  'who blocks and what was said': (db) =>
    readStanding(db, {
      people: owners,
      blocks: [{ owners, targetIds: owners, targets: ['@robin'] }],
      pairs: [{ person: someone, sender: someone }],
    }),
};

/** A node of a plan, as EXPLAIN prints it. */
interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  Plans?: Plan[];
}

const grows = new Set(['approvals', 'recipients', 'items', 'blocks', 'reports']);
/** Lookups by key read only the rows of a page, so sorting them is bounded. */
const byKey = new Set(['approvals_pkey', 'recipients_pkey', 'items_pkey']);

/**
 * The nodes of a plan whose cost grows with the table: full scans, pages found from the beginning, and
 * unbounded sorts.
 */
function growing(plan: Plan, sorted = false): string[] {
  const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': index = '', Plans = [] } = plan;
  const found: string[] = [];
  if (type === 'Seq Scan' && grows.has(table)) found.push(`reads all of ${table}`);
  if (/^(?:Bitmap )?Index/.test(type) && plan['Index Cond'] === undefined)
    found.push(`reads all of ${index}`);
  if (plan.Filter?.includes('ROW(')) found.push('looks for its page from the beginning');
  if (/^(?:Index|Bitmap Heap)/.test(type) && sorted && !byKey.has(index))
    found.push(`sorts what ${type} finds`);
  const below = type === 'Limit' ? false : sorted || /Sort$/.test(type);
  return [...found, ...Plans.flatMap((each) => growing(each, below))];
}

async function statementOf(run: (db: never) => Promise<unknown>): Promise<Statement> {
  let said: Statement | undefined;
  const answers = (answer: unknown) => async (statement: Statement) => {
    said = statement;
    return answer;
  };
  const db = { query: answers([]), one: answers({}), maybeOne: answers(null), execute: answers(0) };
  await run(db as unknown as Db as never);
  if (said === undefined) throw new Error('nothing was asked');
  return said;
}

/** The generic plan, which a connection settles on after a few executions. */
async function planOf({ text }: Statement): Promise<Plan> {
  const rows = await home.database.statement((tx) =>
    tx.query<{ 'QUERY PLAN': { Plan: Plan }[] }>({ text: `explain (generic_plan, format json) ${text}` }),
  );
  return rows[0]!['QUERY PLAN'][0]!.Plan;
}

test.each(Object.entries(statements))('%s: costs the same however many rows are stored', async (_, run) => {
  expect(growing(await planOf(await statementOf(run)))).toEqual([]);
});

test('the check notices full scans, pages read from the start, and unbounded sorts', async () => {
  const plan = (text: string) => planOf({ text });
  const found = [
    `select * from approvals.recipients where address = $1`,
    `select * from approvals.approvals where asker_key = $1 order by title limit 3`,
    `select * from approvals.approvals order by id limit 3`,
    `select asked_at, id from approvals.approvals where asker_key = $1
       and ($2::timestamptz is null or (asked_at, id) < ($2::timestamptz, $3::uuid))
     order by asked_at desc, id desc limit 3`,
  ];
  for (const text of found) expect([text, growing(await plan(text))]).not.toEqual([text, []]);
});
