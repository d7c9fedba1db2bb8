import { randomUUID } from 'node:crypto';
import { type Db, sql, type Tx } from '@hearth/db';
import { testCostOfOwners } from '@hearth/testkit/cost-of-reads';
import { afterAll } from '@jest/globals';
import { type ListedMeetings, listMeetings } from '../src/meetings/db/meetings.ts';
import { findLive, type ListedOffers, listOffers } from '../src/meetings/db/offers.ts';
import { type ListedBy, listSeated } from '../src/shared/db/lists.ts';
import { startDecisions } from './start-decisions.ts';

const home = await startDecisions();
afterAll(() => home.stop());

type Owner = ReturnType<typeof newOwner>;
const newOwner = () => ({ viewer: randomUUID(), group: randomUUID() });
const now = new Date('2026-03-01T12:00:00Z');

/** The oldest rows are the rare ones: seats in a group, pending or by status; open offers; cancelled meetings. */
async function fill(tx: Tx, { group, viewer }: Owner, length: number): Promise<void> {
  await tx.execute(sql`
    insert into decisions.seats (kind, item, viewer, "group", started_at, status, waiting)
    select 'decision', gen_random_uuid(), ${viewer}, case when n <= 8 then ${group}::uuid else ${viewer}::uuid end,
      ${now}::timestamptz + n * interval '1 second', case when n <= 8 then 'open' else 'agreed' end, n <= 8
    from generate_series(1, ${length}::int) n`);
  await tx.execute(sql`
    insert into decisions.offers (id, title, time_zone, host, host_id, host_viewer, audience, "group", recipients, slots, times, status,
      created_at, expires_at, sending)
    select gen_random_uuid(), 'Tea', 'UTC', '{}', ${viewer}, ${viewer}, 'group', ${group}, '[]', '[]', 1,
      case when n <= 8 then 'open' else 'expired' end, ${now}::timestamptz + n * interval '1 second',
      ${now}::timestamptz + interval '30 days', false
    from generate_series(1, ${length}::int) n`);
  await tx.execute(sql`
    insert into decisions.meetings (id, offer, title, time_zone, starts_at, ends_at, host, guest, host_viewer, guest_viewer, status, sequence,
      booked_at, revision, record, settled_at, signed_record)
    select gen_random_uuid(), gen_random_uuid(), 'Tea', 'UTC', at, at + interval '1 hour', '{}', '{}',
      case when n % 2 = 0 then ${viewer}::uuid else ${group}::uuid end, case when n % 2 = 0 then ${group}::uuid else ${viewer}::uuid end,
      case when n <= 8 then 'cancelled' else 'booked' end, 0, ${now}, 1, gen_random_uuid(), ${now}, '{}'
    from (
      select n, ${now}::timestamptz + (n - ${length}::int + 8) * interval '1 hour' as at
      from generate_series(1, ${length}::int) n) n`);
}

const seats = (by: (owner: Owner) => Partial<ListedBy>) => (owner: Owner) => (db: Db) =>
  listSeated(
    db,
    { kind: 'decision', table: 'decisions.decisions', columns: 'd.id' },
    { ...{ viewer: owner.viewer, status: null, waiting: false, group: null }, ...by(owner) },
    null,
    20,
  );
const offers = (by: (owner: Owner) => Partial<ListedOffers>) => (owner: Owner) => (db: Db) => {
  const { viewer } = owner;
  const all = { viewer, groups: [], by: null, mine: true, toMe: true, anyone: false, status: null };
  return listOffers(db, { ...all, ...by(owner) }, null, 20);
};
const meetings =
  (by: Partial<ListedMeetings>) =>
  ({ viewer }: Owner) =>
  (db: Db) =>
    listMeetings(db, { viewer, since: null, until: null, status: null, now, ...by }, null, 20);

testCostOfOwners(home.database, {
  tables: ['decisions.seats', 'decisions.offers', 'decisions.offer_seats', 'decisions.meetings'],
  newOwner,
  fill,
  reads: {
    'the decisions of a viewer': seats(() => ({})),
    'the decisions of a group': seats(({ group }) => ({ group })),
    'the decisions of a status': seats(() => ({ status: 'open' })),
    'the decisions of a status in a group': seats(({ group }) => ({ group, status: 'open' })),
    'the decisions that wait': seats(() => ({ waiting: true })),
    'own offers': offers(() => ({})),
    'own open offers': offers(() => ({ status: 'open' })),
    'offers to a group': offers(({ group }) => ({ viewer: randomUUID(), groups: [group] })),
    'open offers to a group': offers(({ group }) => ({
      viewer: randomUUID(),
      groups: [group],
      status: 'open',
    })),
    'open offers of a party': offers(({ viewer }) => ({
      viewer: randomUUID(),
      by: viewer,
      anyone: true,
      status: 'open',
    })),
    'offers whose times are ahead':
      ({ viewer }) =>
      (db) =>
        findLive(db, [viewer], now),
    meetings: meetings({}),
    'meetings ahead': meetings({ status: 'booked' }),
    'meetings that are over': meetings({ status: 'past' }),
    'meetings that were called off': meetings({ status: 'cancelled' }),
    'meetings since a time': meetings({ since: now }),
  },
});
