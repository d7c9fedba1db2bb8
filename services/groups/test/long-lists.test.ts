import { randomUUID } from 'node:crypto';
import { type Db, sql, type Tx } from '@hearth/db';
import { testCostOfOwners } from '@hearth/testkit/cost-of-reads';
import { afterAll } from '@jest/globals';
import { listOfApp, listOfPerson } from '../src/groups/db/shown-groups.ts';
import { listInvites } from '../src/invites/db/invites.ts';
import { listInvitesWaitedOn, listWaiting, listWaitingOf } from '../src/invites/db/join-requests.ts';
import { startGroups } from './start-groups.ts';

const home = await startGroups();
afterAll(() => home.stop());

type Owner = ReturnType<typeof newOwner>;
const newOwner = () => ({ group: randomUUID(), app: randomUUID(), joiner: randomUUID(), link: randomUUID() });
const now = new Date('2026-03-01T12:00:00Z');

/**
 * A group whose oldest invites are pending and whose others were used or declined; groups of an app, all but the oldest
 * archived.
 */
async function fill(tx: Tx, { app, group, joiner, link }: Owner, length: number): Promise<void> {
  await tx.execute(sql`
    insert into groups.groups (id, handle, name, group_ai, app, minors, consent_age, join_review, group_ai_runs, plans, time_zone,
      created_at, archived_at)
    select case when n = 1 then ${group}::uuid else gen_random_uuid() end, ${app} || n, 'Group', gen_random_uuid(), ${app}, 'no', 16,
      'all', true, 'allow', 'UTC', ${now}, case when n > 8 then ${now}::timestamptz end
    from generate_series(1, ${length}::int) n`);
  await tx.execute(sql`
    insert into groups.members ("group", person, role, joined_at, via, age_band)
    select g.id, ${joiner}, 'member', ${now}, 'link', 'adult' from groups.groups g where g.app = ${app}`);
  await tx.execute(sql`
    insert into groups.invites (id, "group", code_hash, reusable, for_age, created_by_kind, created_by, created_by_person,
      created_by_name, status, max_uses, expires_at, created_at)
    select case when n = 1 then ${link}::uuid else gen_random_uuid() end, ${group}, decode(md5(${group} || n), 'hex'), n = 1, 'adult',
      'person', ${joiner}, ${joiner}, 'Ada',
      case when n <= 4 then 'waiting' when n <= 8 then 'approved' when n % 2 = 0 then 'used' else 'declined' end, 500,
      ${now}::timestamptz + interval '7 days', ${now}::timestamptz + n * interval '1 second'
    from generate_series(1, ${length}::int) n`);
  // One person whose join requests were all declined, and a link with as many declined ones.
  await tx.execute(sql`
    insert into groups.joins (invite, person, via, asked_at, needs_organizer, needs_guardian, status)
    select i.id, ${joiner}::uuid, 'link', i.created_at, true, false, case when i.status = 'waiting' then 'waiting' else 'declined' end
    from groups.invites i where i."group" = ${group}
    union all
    select ${link}::uuid, gen_random_uuid(), 'link', ${now}::timestamptz, true, false, 'declined'
    from generate_series(1, ${length}::int)`);
}

const page = { after: null, limit: 20, now };
const invites =
  (status: Parameters<typeof listInvites>[2]['status']) =>
  ({ group }: Owner) =>
  (db: Db) =>
    listInvites(db, group, { ...page, status });

testCostOfOwners(home.database, {
  tables: ['groups.groups', 'groups.invites', 'groups.joins', 'groups.members'],
  newOwner,
  fill,
  reads: {
    'all invites into a group': invites(null),
    'the invites that wait': invites('waiting'),
    'the invites that were approved': invites('approved'),
    'the invites that were used': invites('used'),
    'the invites that were declined': invites('declined'),
    'the join requests by a link':
      ({ link }) =>
      (db) =>
        listWaiting(db, [link], 100),
    'the join requests of a person':
      ({ joiner }) =>
      (db) =>
        listWaitingOf(db, [joiner], now, 100),
    'the invites that a person waits on':
      ({ joiner }) =>
      (db) =>
        listInvitesWaitedOn(db, joiner),
    'the groups of an app':
      ({ app }) =>
      (db) =>
        listOfApp(db, app, { ...page, archived: true }),
    'the active groups of an app':
      ({ app }) =>
      (db) =>
        listOfApp(db, app, { ...page, archived: false }),
    'the groups of a person':
      ({ joiner }) =>
      (db) =>
        listOfPerson(db, joiner, { ...page, archived: true }),
  },
});
