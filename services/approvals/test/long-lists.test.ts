import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@hearth/db';
import { pagesOf } from '@hearth/testkit';
import { testCostOfOwners } from '@hearth/testkit/cost-of-reads';
import { afterAll, expect, test } from '@jest/globals';
import { listAnsweredFor, listElsewhere, listForApp, listForOwners } from '../src/asks/db/lists.ts';
import { listBlocks } from '../src/requests/db/blocks.ts';
import { listItems } from '../src/requests/db/items.ts';
import { listReports } from '../src/requests/db/reports.ts';
import { startApprovals } from './start-approvals.ts';

const home = await startApprovals();
afterAll(() => home.stop());

type Owner = ReturnType<typeof newOwner>;
const newOwner = () => ({
  asker: randomUUID(),
  owner: randomUUID(),
  app: randomUUID(),
  child: randomUUID(),
});
const now = new Date('2026-03-01T12:00:00Z');

/** Rare rows are the oldest: waiting asks, and requests of one kind. All others were answered. */
async function fill(tx: Tx, { asker, owner, app, child }: Owner, length: number): Promise<void> {
  const stateOf = `case when n <= 8 then 'waiting' when n <= 16 then 'declined' else 'approved' end`;
  const at = `$3::timestamptz + n * interval '1 second'`;
  await tx.execute({
    text: `
      insert into approvals.approvals (id, kind, request_kind, title, needs, asker_kind, asker, asker_app, asker_address, asker_name,
        asker_verified, digest, asked_at, expires_at, status, home, settled_at, record)
      select md5($1::text || n)::uuid, 'ask', 'offer', 'Tea', 'any', 'person', $1::uuid, $2::uuid, '@asker', 'Ada', true, 'sha-256:', ${at},
        ${at} + interval '7 days', ${stateOf}, case when n % 2 = 0 then 'other.example' end,
        case when n > 8 then ${at} end, case when n > 8 then gen_random_uuid() end
      from generate_series(1, $4::int) n`,
    values: [asker, app, now, length],
  });
  await tx.execute({
    text: `
      insert into approvals.recipients (approval, position, kind, recipient, person, address, name, handling, owner, box, asked_at,
        request_kind, status, decision, guards, answered_at)
      select md5($1::text || n)::uuid, place, 'person', case when place = 0 then $2::uuid else gen_random_uuid() end, $2::uuid, '@owner', 'Ben',
        'delivered', $2::uuid, 'inbox', ${at}, 'offer', ${stateOf}, ${stateOf},
        $5::uuid, ${at}
      from generate_series(1, $4::int) n, generate_series(0, 1) place`,
    values: [asker, owner, now, length, child],
  });
  await tx.execute({
    text: `
      insert into approvals.items (kind, id, owner, box, label, since, expires)
      select 'message', gen_random_uuid(), $1::uuid, 'requests', case when n <= 8 then 'sales' else 'offer' end,
        $2::timestamptz + n * interval '1 second', $2::timestamptz + interval '30 days'
      from generate_series(1, $3::int) n`,
    values: [owner, now, length],
  });
  await tx.execute({
    text: `
      insert into approvals.blocks (person, target, at) select $1::uuid, '@a' || n, $2::timestamptz + n * interval '1 second'
      from generate_series(1, $3::int) n`,
    values: [owner, now, length],
  });
  await tx.execute({
    text: `
      insert into approvals.reports (id, about, reason, by_kind, by_id, by_address, at, resolved_at)
      select gen_random_uuid(), '@a', case when n % 2 = 0 then 'spam' else 'child_safety' end, 'person', $1::uuid, '@b',
        $2::timestamptz + n * interval '1 second', case when n > 8 then $2::timestamptz end
      from generate_series(1, $3::int) n`,
    values: [owner, now, length],
  });
}

const page = { status: null, after: null, limit: 20 };
const items = (labels: readonly string[]) => (owner: Owner) => (db: Db) =>
  listItems(db, { person: owner.owner, caller: owner.owner }, { labels, now, before: null, limit: 20 });
const ofOwner =
  (who: 'asker' | 'owner', status: string | null = null) =>
  (owner: Owner) =>
  (db: Db) =>
    listForOwners(db, [owner[who]], { ...page, status });

testCostOfOwners(home.database, {
  tables: [
    'approvals.approvals',
    'approvals.recipients',
    'approvals.items',
    'approvals.blocks',
    'approvals.reports',
  ],
  newOwner,
  fill,
  most: 10_000,
  reads: {
    'the asks that wait': ofOwner('owner'),
    'the asks that wait, by status': ofOwner('owner', 'waiting'),
    'the asks that were approved': ofOwner('owner', 'approved'),
    'the asks that were declined': ofOwner('owner', 'declined'),
    'own asks': ofOwner('asker'),
    'own asks that wait': ofOwner('asker', 'waiting'),
    'the asks of an app':
      ({ app }) =>
      (db) =>
        listForApp(db, app, page),
    'the asks of an app that wait':
      ({ app }) =>
      (db) =>
        listForApp(db, app, { ...page, status: 'waiting' }),
    'the asks of other homes that wait':
      ({ owner }) =>
      (db) =>
        listElsewhere(db, [owner], page),
    'the asks that guardians answered':
      ({ child }) =>
      (db) =>
        listAnsweredFor(db, child, 20),
    requests: items(['offer']),
    'requests of a rare kind': items(['sales']),
    'requests of all kinds': items(['offer', 'sales', 'other']),
    blocks:
      ({ owner }) =>
      (db) =>
        listBlocks(db, owner, null, 20),
  },
});

test.each([true, false])(
  'reports, including resolved ones, %s, are read from the ends of an index',
  async (resolved) => {
    const read = (db: Db) => listReports(db, { resolved, after: null, limit: 20 });
    expect(await pagesOf(home.database, read)).toBeLessThan(60);
  },
);
