import { type Db, sql, type Tx } from '@hearth/db';
import type { Read } from '@hearth/testkit';
import { testCostAsTablesGrow } from '@hearth/testkit/cost-of-reads';
import { afterAll } from '@jest/globals';
import { listHomes } from '../src/homes/db/shown-homes.ts';
import { startFederation } from './start-federation.ts';

const home = await startFederation();
afterAll(() => home.stop());
const { database } = home;

const now = new Date('2026-03-01T12:00:00Z');
const homes = (which: { state?: string }) => (db: Db) => listHomes(db, { ...which, now, limit: 20 });

const reads: Record<string, Read> = {
  'all homes': homes({}),
  'homes that are good': homes({ state: 'good' }),
  'homes of which nothing is known': homes({ state: 'unknown' }),
  'homes whose key changes': homes({ state: 'key_change' }),
  'homes whose key was revoked': homes({ state: 'key_revoked' }),
  'homes that fail': homes({ state: 'failing' }),
  'homes whose document lapsed': homes({ state: 'lapsed' }),
};

/** Inserts homes in order of their names; the failing ones come last. */
async function insert(tx: Tx, first: number, last: number): Promise<void> {
  await tx.execute(sql`
    insert into federation.homes (home, kept, failure, created_at)
    select case when n <= 40 then 'z' else 'a' end || lpad(n::text, 8, '0') || '.example', case
        when n <= 8 then null
        when n <= 16 then '{"waiting":{"cause":"another_home"}}'
        when n <= 24 then '{"waiting":{"cause":"key_revoked"}}'
        when n <= 32 then '{"document":{"valid_until":"2026-02-01T00:00:00Z"}}'
        else '{"document":{"valid_until":"2026-04-01T00:00:00Z"}}' end::jsonb,
      case when n between 33 and 40 then 'timeout' end, ${now}
    from generate_series(${first}::int, ${last}::int) n`);
}

testCostAsTablesGrow(database, ['federation.homes'], insert, reads);
