import { randomUUID } from 'node:crypto';
import { type Db, sql, type Tx } from '@hearth/db';
import type { Read } from '@hearth/testkit';
import { testCostAsTablesGrow } from '@hearth/testkit/cost-of-reads';
import { afterAll } from '@jest/globals';
import { listActivity } from '../src/activity/db/list-activity.ts';
import { type AuditQuery, listAudit } from '../src/audit/db/audit.ts';
import { listAppDeliveries, listAppEvents } from '../src/shared/db/app-deliveries.ts';
import { startDelivery } from './start-delivery.ts';

const home = await startDelivery();
afterAll(() => home.stop());
const { database } = home;

const now = new Date(home.clock.now());
const from = new Date(now.getTime() - 86_400_000);
const [app, viewer] = [randomUUID(), randomUUID()];

const audit = (query: Partial<AuditQuery>) => (db: Db) =>
  listAudit(db, { action: null, about: null, since: null, before: null, limit: 20, ...query });
const deliveries = (question: object) => (db: Db) =>
  listAppDeliveries(db, {
    ...{ app, status: null, type: null, since: null, from, before: null, limit: 20 },
    ...question,
  });

const reads: Record<string, Read> = {
  'the audit log': audit({}),
  'the audit log by action': audit({ action: 'home.blocked' }),
  'the audit log of a thing': audit({ about: 'rare' }),
  'the audit log of a thing by action': audit({ action: 'home.blocked', about: 'rare' }),
  'the audit log of now': audit({ since: new Date(now.getTime() + 1_000_000_000) }),
  'the deliveries to an app': deliveries({}),
  'the events of an app': (db) => listAppEvents(db, { app, after: 0, from, limit: 20 }),
  activity: (db) =>
    listActivity(db, {
      ...{ viewer: [viewer], own: [viewer], person: null, group: null, actor: null, actorAddress: null },
      ...{ action: null, since: null, before: null, limit: 20 },
    }),
};

/** Rare rows are the oldest. */
async function insert(tx: Tx, first: number, last: number): Promise<void> {
  await tx.execute(sql`
    insert into delivery.audit (event, at, action, by_operator, about, summary, reason)
    select gen_random_uuid(), ${now}::timestamptz + n * interval '1 second', case when n <= 8 then 'home.blocked' else 'ai.suspended' end,
      true, case when n between 5 and 12 then 'rare' else 'thing ' || n % 10 end, 'It happened', ''
    from generate_series(${first}::int, ${last}::int) n`);
  await tx.execute(sql`
    insert into delivery.app_events (app, number, id, at, type, order_key, body, status, due_at, unconfirmed)
    select ${app}, n, gen_random_uuid(), ${now}::timestamptz + n * interval '1 millisecond', case when n <= 8 then 'rare' else 'message' end,
      ${app}, '{"at":"2026-01-01T00:00:00Z"}', case when n <= 8 then 3 when n <= 16 then 1 else 2 end,
      case when n between 9 and 16 then ${now}::timestamptz end, false
    from generate_series(${first}::int, ${last}::int) n`);
  await tx.execute(sql`
    with given as (
      select gen_random_uuid() as event, ${now}::timestamptz + n * interval '1 second' as at
      from generate_series(${first}::int, ${last}::int) n),
    listed as (
      insert into delivery.activity_subjects (subject, sort_at, event, part) select ${viewer}, at, event, 0 from given)
    insert into delivery.activity (event, part, at, sort_at, action, actor_address, actor_name, actor_minor, via, about_minor, item_ref,
      summary, hidden_from, subjects)
    select event, 0, at, at, 'message.sent', '@ada', 'Ada', false, 1, false, '', 'It happened', '{}', array[${viewer}::uuid] from given`);
}

testCostAsTablesGrow(
  database,
  ['delivery.audit', 'delivery.app_events', 'delivery.activity', 'delivery.activity_subjects'],
  insert,
  reads,
);
