import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppReceiver, startAppReceiver } from '@hearth/testkit/app-receiver';
import { eventually } from '@hearth/testkit/eventually';
import { type ApiClient, apiClient, type StartedHome, startHomeInProcesses } from '@hearth/testkit/home';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { bringBack } from './support/bring-back.ts';
import { embeddedUrl, onDatabase } from './support/event-log.ts';
import { rounds } from './support/rounds.ts';

// The home is killed before an event is stored, and before it is sent. An app that deduplicates by event id receives
// each event once and misses none.

interface Delivered {
  id: string;
  seq: number;
}

let home: StartedHome;
let receiver: AppReceiver;
let app: ApiClient;
let secret: string;
let person: string;
let groups: string[];

beforeAll(async () => {
  receiver = await startAppReceiver();
  const env = { HEARTH_LIMITS: 'relaxed', HEARTH_SEAL_KEY: '', HEARTH_DEV_CALLBACKS: receiver.origin };
  home = await startHomeInProcesses({ topology: 'one', databaseUrl: 'embedded', env });
  const operator = apiClient(home.urls, home.operatorKey);
  const fields = { name: 'Planner', contact_email: 'ops@planner.example' };
  const { body } = await operator.post('/v0/admin/apps', fields);
  secret = body.signing_secret;
  app = apiClient(home.urls, body.app_key);
  expect((await app.patch('/v0/app', { webhook_url: receiver.url })).status).toBe(200);
  person = (await app.post('/v0/people', { name: 'Ada Lovelace', age_band: 'adult' })).body.id;
  groups = await Promise.all(
    Array.from({ length: 10 }, async () => (await as('POST', '/v0/groups', { name: 'Book club' })).body.id),
  );
}, 180_000);
afterAll(async () => {
  await home?.stop();
  await receiver?.stop();
}, 240_000);
afterEach(() => receiver.always({ status: 200 }));

const as = (method: string, path: string, body: object) =>
  app.request(method, path, body, { 'svc-acting-for': person });

let names = 0;
/** Renames a group; returns the status, or null if the home died meanwhile. */
async function rename(group: string): Promise<number | null> {
  names += 1;
  const path = `/v0/groups/${group}`;
  return await as('PATCH', path, { name: `Book club ${names}` }).then(
    ({ status }) => status,
    () => null,
  );
}

/** The distinct events about a group that arrived. */
function arrivedOf(group: string): Delivered[] {
  const told = new Map<string, Delivered>();
  for (const { body } of receiver.arrived) {
    if (body.type === 'group.updated' && body.data.group.id === group)
      told.set(body.id, { id: body.id, seq: body.data.seq });
  }
  return [...told.values()].sort((one, other) => one.seq - other.seq);
}

const onHome = <T>(text: string) =>
  onDatabase(embeddedUrl(home.dataFolder), async (client) => (await client.query(text)).rows as T[]);

/** How often each group changed; the first change is its creation, which its app does not receive. */
async function changes(): Promise<Map<string, number>> {
  const rows = await onHome<{ id: string; seq: string }>('select id, seq from groups.groups');
  return new Map(rows.map(({ id, seq }) => [`grp_${id.replaceAll('-', '')}`, Number(seq)]));
}

/** A dead process's leases last half a minute; this shortens them. */
const endLeases = () =>
  onHome(`update delivery.destinations set leased_until = now() where leased_until is not null`);

const kill = () => home.processes[0]!.kill();

async function restart(): Promise<void> {
  await bringBack(home.processes[0]!);
  await home.ready();
}

const waiting = async () =>
  Number((await onHome<{ n: string }>('select count(*) n from delivery.app_events where status = 1'))[0]!.n);

/** Waits until every change of every group was sent, and checks that none was sent as two events. */
async function expectAllDeliveredOnce(): Promise<void> {
  await endLeases();
  const made = await changes();
  for (const group of groups) {
    const expected = Array.from({ length: made.get(group)! - 1 }, (_, index) => index + 1);
    const told = await eventually(
      async () => arrivedOf(group),
      (seen) => seen.length >= expected.length,
      { everyMs: 100 },
    );
    expect(told.map(({ seq }) => seq)).toEqual(expected);
  }
  await eventually(waiting, (count) => count === 0, { everyMs: 100 });
  const bodies = Map.groupBy(receiver.arrived, ({ body }) => body.id);
  for (const [id, same] of bodies) expect([id, new Set(same.map(({ raw }) => raw)).size]).toEqual([id, 1]);
  for (const { signature, raw } of receiver.arrived) {
    const moment = /^t=(\d+)/.exec(signature)![1];
    const mac = createHmac('sha256', secret).update(`${moment}.${raw}`).digest('hex');
    expect(signature).toBe(`t=${moment},v1=${mac}`);
  }
  expect(await caughtUp()).toEqual(new Set([...bodies.keys()].filter((id) => !isTest(id))));
}

const isTest = (id: string) => receiver.arrived.some(({ body }) => body.id === id && body.type === 'test');

/** The ids of all logged events. */
async function caughtUp(): Promise<Set<string>> {
  const ids: string[] = [];
  for (;;) {
    const after = ids.length === 0 ? '' : `&after=${ids.at(-1)}`;
    const { body } = await app.get(`/v0/app/events?limit=100${after}`);
    ids.push(...body.events.map(({ id }: { id: string }) => id));
    if (!body.has_more) return new Set(ids);
  }
}

test('killed during a delivery, the home sends the event again under the same id', async () => {
  receiver.always('hangs');
  expect(await rename(groups[0]!)).toBe(200);
  await eventually(
    async () => arrivedOf(groups[0]!).length,
    (count) => count === 1,
  );
  await kill();
  receiver.always({ status: 200 });
  const before = receiver.arrived.length;
  await restart();
  await expectAllDeliveredOnce();
  expect(receiver.arrived.length).toBeGreaterThan(before);
}, 240_000);

test('killed while an address does not answer, the home sends the pending events afterwards', async () => {
  receiver.always('breaks');
  for (const group of groups.slice(0, 3)) expect(await rename(group)).toBe(200);
  await eventually(waiting, (count) => count === 3);
  await kill();
  receiver.always({ status: 200 });
  await restart();
  await onHome(`
    with due as (update delivery.app_events set due_at = now() where status = 1)
    update delivery.destinations set due_at = now(), version = version + 1`);
  await expectAllDeliveredOnce();
}, 240_000);

test('killed repeatedly under load, the home loses no event and sends each under one id', async () => {
  let unsent = 0;
  for (let round = 0; round < rounds(2, 3); round += 1) {
    const renaming = groups.flatMap((group) => Array.from({ length: 5 }, () => rename(group)));
    await Promise.race(renaming);
    await sleep(Math.random() * 60);
    await kill();
    const statuses = await Promise.all(renaming);
    const arrived = groups.reduce((sum, group) => sum + arrivedOf(group).length, 0);
    await restart();
    const made = await changes();
    const changed = groups.reduce((sum, group) => sum + made.get(group)! - 1, 0);
    unsent += changed - arrived;
    expect(statuses.every((status) => status === 200 || status === null || status === 503)).toBe(true);
    await expectAllDeliveredOnce();
  }
  // Otherwise the test proved nothing.
  expect(unsent).toBeGreaterThan(0);
}, 240_000);
