import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@hearth/db';
import type { Read } from '@hearth/testkit';
import { testCostAsTablesGrow } from '@hearth/testkit/cost-of-reads';
import { afterAll } from '@jest/globals';
import { listApps } from '../src/apps/db/apps.ts';
import { listFeedback } from '../src/feedback/db/feedback.ts';
import { type AiFilter, listAllAis, listLiveAis } from '../src/shared/db/ais.ts';
import { listAllPeople, type PeopleFilter } from '../src/shared/db/people.ts';
import { startIdentity } from './start-identity.ts';

const home = await startIdentity();
afterAll(() => home.stop());
const { database } = home;

const now = new Date('2026-03-01T12:00:00Z');
const later = new Date('2026-04-01T12:00:00Z');
const app = randomUUID();
const group = randomUUID();

const people = (filter: Partial<PeopleFilter>) => (db: Db) =>
  listAllPeople(db, { app: null, guest: null, deleting: null, suspended: null, now, ...filter }, null, 20);
const ais = (filter: Partial<AiFilter>) => (db: Db) =>
  listAllAis(db, { state: null, status: null, owner: null, now, ...filter }, null, 20);
const feedback = (filter: { status?: string; kind?: string }) => (db: Db) =>
  listFeedback(db, { status: null, kind: null, ...filter }, null, 20);

const reads: Record<string, Read> = {
  'all people': people({}),
  'the people of an app': people({ app }),
  guests: people({ guest: true }),
  'people with a sign-in': people({ guest: false }),
  'people who leave': people({ deleting: true }),
  'people who stay': people({ deleting: false }),
  'people who are suspended': people({ suspended: true }),
  'people who are not suspended': people({ suspended: false }),
  'guests of an app': people({ app, guest: true }),
  'all AIs': ais({}),
  'AIs that were switched off': ais({ state: 'revoked' }),
  'AIs that are suspended': ais({ state: 'suspended' }),
  'AIs that are active': ais({ state: 'active' }),
  'AIs that are vouched for': ais({ status: 'vouched' }),
  'vouched AIs that were switched off': ais({ state: 'revoked', status: 'vouched' }),
  'AIs that are active and vouched for': ais({ state: 'active', status: 'vouched' }),
  'the AIs of an app': (db) => listLiveAis(db, { app }, null, 20),
  'all feedback': feedback({}),
  'feedback that was read': feedback({ status: 'read' }),
  'feedback of a kind': feedback({ kind: 'praise' }),
  'feedback of a kind that was read': feedback({ kind: 'praise', status: 'read' }),
  apps: (db) => listApps(db, null, 20),
};

/** The oldest rows are the rare ones. */
async function insert(tx: Tx, first: number, last: number): Promise<void> {
  const values = [first, last];
  const id = (kind: string) => `(lpad(to_hex(n), 8, '0') || '-000${kind}-7000-8000-000000000000')::uuid`;
  const from = 'from generate_series($1::int, $2::int) n';
  await tx.execute({
    text: `
      insert into identity.apps (id, name, contact_email, signing_secret, created_at)
      select case when n = 1 then $3::uuid else ${id('1')} end, 'App', 'a@example.org', '', $4::timestamptz + n * interval '1 second' ${from}`,
    values: [...values, app, now],
  });
  await tx.execute({
    text: `
      insert into identity.people (id, handle, name, age_band, age_source, guest, app, time_zone, created_at, deletes_at, suspended_until)
      select ${id('2')}, 'p' || n, 'Ada', 'adult', 'self', n <= 8, case when n <= 16 then $3::uuid end, 'UTC',
        $4::timestamptz + n * interval '1 second', case when n between 17 and 24 then $5::timestamptz end,
        case when n between 25 and 32 then $5::timestamptz end ${from}`,
    values: [...values, app, now, later],
  });
  await tx.execute({
    text: `
      insert into identity.ais (id, address, name, platform, owner, status, permissions, created_at, revoked_at, suspended_until,
        group_id, group_app)
      select ${id('3')}, '@a' || n, 'Robin', 'other', case when n > 8 then ${id('2')} end, case when n <= 8 then 'vouched' else 'claimed' end,
        '{}', $3, case when n between 5 and 12 then $3::timestamptz end, case when n between 13 and 16 then $4::timestamptz end,
        case when n = 17 then $5::uuid end, case when n = 17 then $6::uuid end ${from}`,
    values: [...values, now, later, group, app],
  });
  await tx.execute({
    text: `
      insert into identity.feedback (id, kind, title, status, by_kind, by_id, at)
      select ${id('4')}, case when n <= 8 then 'praise' else 'bug' end, 'Tea', case when n between 5 and 12 then 'read' else 'received' end,
        'ai', $3, $4::timestamptz + n * interval '1 second' ${from}`,
    values: [...values, group, now],
  });
}

testCostAsTablesGrow(
  database,
  ['identity.apps', 'identity.people', 'identity.ais', 'identity.feedback'],
  insert,
  reads,
);
