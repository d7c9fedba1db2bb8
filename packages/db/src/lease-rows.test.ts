import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from './database.ts';
import { leaseRows } from './lease-rows.ts';
import { fragment, sql } from './sql.ts';
import { type OwnDatabase, ownDatabase } from './test-support.ts';

let own: OwnDatabase;
let database: Database;

beforeAll(async () => {
  own = await ownDatabase();
  database = own.open();
});
afterAll(() => own.remove());

const now = new Date('2030-01-01T12:00:00Z');
const seconds = (count: number) => new Date(now.getTime() + count * 1_000);

const lease = () =>
  database.statement((tx) =>
    leaseRows(
      tx,
      { name: 'lease_waiting', table: 'waiting', where: fragment`due_at <= ${now}`, by: 'due_at' },
      { now, until: seconds(30), limit: 10 },
    ),
  );

test('leases unheld rows even if a clock was set back since their last lease', async () => {
  await database.statement((tx) =>
    tx.execute(
      sql`create table waiting (id text primary key, due_at timestamptz not null, claimed_until timestamptz)`,
    ),
  );
  const rows = [
    ['free', seconds(-1), null],
    ['over', seconds(-1), now],
    ['held', seconds(-1), seconds(30)],
    ['held by a clock that is ahead', seconds(-1), seconds(300)],
    ['held before the clock was set back', seconds(-1), seconds(3_600)],
    ['not due', seconds(1), null],
  ] as const;
  for (const [id, due, until] of rows) {
    await database.statement((tx) => tx.execute(sql`insert into waiting values (${id}, ${due}, ${until})`));
  }
  expect((await lease()).sort()).toEqual(['free', 'held before the clock was set back', 'over']);
  expect(await lease()).toEqual([]);
});
