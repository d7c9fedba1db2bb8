import { setTimeout as sleep } from 'node:timers/promises';
import { fromBinary } from '@bufbuild/protobuf';
import { EventSchema } from '@hearth/proto/events/v1/events';
import { eventually } from '@hearth/testkit/eventually';
import { freePort } from '@hearth/testkit/free-port';
import {
  type ApiClient,
  apiClient,
  type StartedHome,
  signUpAi,
  startHomeInProcesses,
} from '@hearth/testkit/home';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectStatus } from '../support/home.ts';
import { bringBack } from './support/bring-back.ts';
import { embeddedUrl, onDatabase } from './support/event-log.ts';

// Accounts whose deletion is due, in a home that is killed again and again while it ends them.
let home: StartedHome;
let other: StartedHome | undefined;
/** Another home's port. */
const elsewhere = await freePort();
let app: ApiClient;
let key: string;

beforeAll(async () => {
  // Empty counts as unset: the keys are then generated at the first start and stored in the data folder.
  const env = { HEARTH_LIMITS: 'relaxed', HEARTH_SEAL_KEY: '' };
  const among = { port: await freePort(), others: [`localhost:${elsewhere}`] };
  home = await startHomeInProcesses({ topology: 'one', databaseUrl: 'embedded', env, among });
  const operator = apiClient(home.urls, home.operatorKey);
  const made = await operator.post('/v0/admin/apps', {
    name: 'Planner',
    contact_email: 'ops@planner.example',
  });
  key = made.body.app_key;
  app = apiClient(home.urls, key);
});

afterAll(() => Promise.all([home?.stop(), other?.stop()]), 30_000);

const people = 24;

async function newAdult(): Promise<{ id: string; handle: string; acting: Record<string, string> }> {
  const { body } = await app.post('/v0/people', { name: 'Ada Lovelace', age_band: 'adult' });
  return { id: body.id, handle: body.handle, acting: { 'svc-acting-for': body.id } };
}

/** A person with an AI and a group of which they are the only organizer, and another member as successor. */
async function newLeaver(follower: { acting: Record<string, string> }) {
  const leaver = await newAdult();
  const ai = await app.post('/v0/ais', { name: 'Helper' }, leaver.acting);
  const group = await app.post('/v0/groups', { name: 'Book club' }, leaver.acting);
  const invite = await app.post(`/v0/groups/${group.body.id}/invites`, {}, leaver.acting);
  const joined = await app.post(`/v0/invites/${invite.body.code}/accept`, {}, follower.acting);
  expect(joined.body.status).toBe('joined');
  const { handle, acting, id } = leaver;
  const asked = await app.request('DELETE', `/v0/people/me?confirm=${handle}`, undefined, acting);
  expect(asked.status).toBe(202);
  return { id, group: group.body.id as string, aiKey: ai.body.connector_key as string };
}

/** Makes every scheduled deletion due. */
const waitDays = () =>
  onDatabase(embeddedUrl(home.dataFolder), (client) =>
    client.query(
      `update identity.people set deletes_at = now() - interval '1 second' where deletes_at is not null`,
    ),
  );

test('accounts being deleted when the home is killed are deleted completely, once each', async () => {
  const [process] = home.processes;
  const follower = await newAdult();
  const leavers = [];
  for (let count = 0; count < people; count += 1) leavers.push(await newLeaver(follower));
  const uuids = leavers.map(({ id }) => id.slice('per_'.length));
  const countDeleted = () =>
    onDatabase(embeddedUrl(home.dataFolder), async (client) => {
      const { rows } = await client.query(
        `select count(*)::int as count from identity.people where replace(id::text, '-', '') = any($1) and deleted_at is not null`,
        [uuids],
      );
      return rows[0].count as number;
    });

  await waitDays();
  let kills = 0;
  let before = 0;
  const until = performance.now() + 90_000;
  for (let deleted = 0; deleted < people && performance.now() < until; ) {
    deleted = await countDeleted();
    if (deleted > before && deleted < people && kills < 3) {
      // During the next deletion.
      await sleep(Math.random() * 15);
      await process!.kill();
      kills += 1;
      await bringBack(process!);
      before = deleted;
    }
    await sleep(5);
  }
  expect(await countDeleted()).toBe(people);
  expect(kills).toBeGreaterThan(0);
  await home.ready();

  // Everything that belonged to an account is gone too.
  for (const { group, aiKey, id } of leavers) {
    const { body } = await app.get(`/v0/groups/${group}/members`, follower.acting);
    expect(body.members).toMatchObject([{ role: 'organizer', person: { id: (await me()).id } }]);
    expect((await apiClient(home.urls, aiKey).get('/v0/me')).body.code).toBe('key_revoked');
    expect((await app.get(`/v0/people/${id}`)).status).toBe(404);
  }
  async function me() {
    return (await app.get('/v0/people/me', follower.acting)).body as { id: string };
  }

  // Each was announced once.
  const announced = await eventually(
    () =>
      onDatabase(embeddedUrl(home.dataFolder), async (client) => {
        const { rows } = await client.query<{ event: Buffer }>(
          `select event from delivery.events where type = 'account_deleted'`,
        );
        return rows.flatMap(({ event }) => {
          const { data } = fromBinary(EventSchema, event);
          return data.case === 'accountDeleted' ? data.value.deleted : [];
        });
      }),
    (seen) => seen.length >= people,
  );
  expect(announced.map((id) => id.replaceAll('-', '')).sort()).toEqual([...uuids].sort());
});

test("agreements of an AI lose a side at the other home once its owner's account is deleted", async () => {
  const env = { HEARTH_LIMITS: 'relaxed' };
  const among = { port: elsewhere, others: [home.name] };
  const started = await startHomeInProcesses({ topology: 'one', env, among });
  other = started;
  const robin = await signUpAi(started.urls);
  const { handle, acting } = await newAdult();
  const asked = { name: 'Helper', permissions: ['read', 'message'] };
  const made = expectStatus(await app.post('/v0/ais', asked, acting), 201).body;
  const ai = apiClient(home.urls, made.connector_key);
  const propose = async () => {
    const address = `${made.ai.address.slice(1)}@${home.name}`;
    const request = { title: 'Minutes', terms: 'You write them.', with: [address] };
    const { id, terms_digest } = expectStatus(await robin.post('/v0/agreements', request), 201).body;
    const { requests } = await eventually(
      async () => (await app.get('/v0/requests', acting)).body,
      (waiting) => waiting.requests.length > 0,
    );
    expectStatus(await app.post(`/v0/requests/${requests[0].id}/accept`, {}, acting), 200);
    const path = `/v0/agreements/${encodeURIComponent(`r:${started.name}:${id}`)}`;
    return { id, sign: () => ai.post(`${path}/sign`, { terms_digest }) };
  };
  const [open, ready] = [await propose(), await propose()];
  expectStatus(await ready.sign(), 200);
  const shown = async ({ id }: typeof open) => (await robin.get(`/v0/agreements/${id}`)).body;
  expect([(await shown(open)).status, (await shown(ready)).status]).toEqual(['open', 'ready']);

  const gone = await app.request('DELETE', `/v0/people/me?confirm=${handle}`, undefined, acting);
  expectStatus(gone, 202);
  await waitDays();
  await eventually(
    () => shown(open),
    ({ status, why }) => status === 'declined' && why === 'side_gone',
  );
  const left = await eventually(
    () => shown(ready),
    ({ why }) => why === 'side_gone',
  );
  expect(left).toMatchObject({ status: 'ready', side_gone: true, sides: [{ gone: false }, { gone: true }] });
}, 180_000);
