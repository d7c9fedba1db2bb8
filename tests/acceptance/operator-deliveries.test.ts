import { run } from '@hearth/cli';
import { systemClock } from '@hearth/clock';
import { type AppReceiver, startAppReceiver } from '@hearth/testkit/app-receiver';
import { eventually } from '@hearth/testkit/eventually';
import {
  type ApiClient,
  apiClient,
  createHomeDatabase,
  type StartedHome,
  startHomeInProcesses,
  topologyOf,
} from '@hearth/testkit/home';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { expectStatus } from '../support/home.ts';

// An app's address fails and recovers: what the operator sees, and restarts with their tool.

let databaseFor: Awaited<ReturnType<typeof createHomeDatabase>>;
let receiver: AppReceiver;
let home: StartedHome;
let app: ApiClient & { id: string; key: string; secret: string };
let ada: ApiClient;

beforeAll(async () => {
  [databaseFor, receiver] = await Promise.all([createHomeDatabase(), startAppReceiver()]);
  home = await startHomeInProcesses({
    topology: topologyOf(process.env),
    replicas: 1,
    databaseUrl: databaseFor.url,
    env: { HEARTH_DEV_CALLBACKS: receiver.origin, HEARTH_LIMITS: 'relaxed' },
  });
}, 240_000);
afterAll(async () => {
  await home?.stop();
  await receiver?.stop();
  await databaseFor?.drop();
}, 240_000);

/** The test's own app, and a person held by it. */
beforeEach(async () => {
  receiver.always({ status: 200 });
  const operator = apiClient(home.urls, home.operatorKey);
  const fields = { name: 'Planner', contact_email: 'ops@planner.example' };
  const { body } = expectStatus(await operator.post('/v0/admin/apps', fields), 201);
  const client = apiClient(home.urls, body.app_key);
  app = { ...client, id: body.app.id, key: body.app_key, secret: body.signing_secret };
  expectStatus(await app.patch('/v0/app', { webhook_url: receiver.url }), 200);
  const person = expectStatus(
    await app.post('/v0/people', { name: 'Ada Lovelace', age_band: 'adult' }),
    201,
  ).body;
  const request: ApiClient['request'] = (method, path, sent) =>
    app.request(method, path, sent, { 'svc-acting-for': person.id });
  ada = { ...app, request, post: (path, sent = {}) => request('POST', path, sent) };
});

interface CommandResult {
  code: number;
  printed: string;
  complained: string;
}

/** The operator's tool, on the command line. */
async function hearth(...line: string[]): Promise<CommandResult> {
  const [printed, complained]: [string[], string[]] = [[], []];
  const code = await run([...line, '--site', home.urls[0]!], {
    env: { HEARTH_OPERATOR_KEY: home.operatorKey },
    folders: [],
    readFile: () => undefined,
    readInput: async () => new Uint8Array(),
    fetch,
    clock: systemClock,
    print: (text) => printed.push(text),
    complain: (text) => complained.push(text),
  });
  return { code, printed: printed.join('\n'), complained: complained.join('\n') };
}

async function json<T = Record<string, unknown>[]>(...line: string[]): Promise<T> {
  const { code, printed, complained } = await hearth(...line, '--json');
  expect([code, complained]).toEqual([0, '']);
  return JSON.parse(printed) as T;
}

/** Ada ends a group, which notifies the app. */
async function groupEnded(): Promise<string> {
  const { id } = expectStatus(await ada.post('/v0/groups', { name: 'Book club' }), 201).body;
  expectStatus(await ada.post(`/v0/groups/${id}/archive`), 200);
  return id;
}
const failed = () => json('delivery', 'failed', '--app', app.id);
const own = async () => (await json('delivery', 'destinations')).find(({ id }) => id === app.id);
const arrived = (group: string) =>
  receiver.arrived.filter(({ body }) => body.type === 'group.archived' && body.data.group === group);

/** Five days pass in which the address failed; then pending events are tried once more. */
async function fiveDays(): Promise<void> {
  const client = new pg.Client(databaseFor.url);
  await client.connect();
  const id = app.id.slice('app_'.length);
  await client.query(
    `update delivery.app_streams set failing_since = now() - interval '6 days' where app = $1::uuid`,
    [id],
  );
  await client.query(`update delivery.app_events set due_at = now() where app = $1::uuid and status = 1`, [
    id,
  ]);
  await client.query(
    `update delivery.destinations set due_at = now(), version = version + 1 where id = $1::uuid and lease is null`,
    [id],
  );
  await client.end();
}

test('a webhook address suspended for days is resumed, and receives the dead letters', async () => {
  receiver.always('breaks');
  const group = await groupEnded();
  const failing = await eventually(own, (seen) => seen?.['status'] === 'failing');
  expect(failing).toMatchObject({
    kind: 'app',
    owner: 'Planner',
    origin: receiver.origin,
    last_error: 'connection_refused',
  });
  expect(await failed()).toEqual([]);

  await eventually(
    async () => {
      await fiveDays();
      return await own();
    },
    (seen) => seen?.['status'] === 'disabled',
    { everyMs: 500 },
  );
  const late = await groupEnded();
  const dead = await eventually(failed, (seen) => seen.length >= 2);
  expect(new Set(dead.map(({ status, type }) => `${status} ${type}`))).toEqual(
    new Set(['failed group.archived']),
  );

  const since = ['--since', '1h', '--status', 'failed'];
  const reason = ['--reason', 'Their host was replaced'];
  const refused = await hearth('delivery', 'replay', '--app', app.id, ...since, ...reason);
  expect([refused.code, refused.complained]).toEqual([1, expect.stringContaining('resume it first')]);

  receiver.always({ status: 200 });
  const resumed = await hearth('delivery', 'resume', app.id, ...reason);
  expect([resumed.code, resumed.printed]).toEqual([0, expect.stringContaining('is active')]);
  const replayed = await hearth('delivery', 'replay', '--app', app.id, ...since, ...reason);
  expect([replayed.code, replayed.printed]).toEqual([0, expect.stringContaining('Resending 2 events')]);
  for (const made of [group, late])
    await eventually(
      async () => arrived(made),
      (seen) => seen.some(Boolean),
    );
  const after = await eventually(own, (seen) => seen?.['waiting'] === 0);
  expect([after?.['status'], await failed()]).toEqual(['active', []]);

  // The app can read that it was done, and why.
  const activity = await eventually(
    async () => (await app.get('/v0/activity')).body.activity as { action: string; summary: string }[],
    (seen) => seen.some(({ action }) => action === 'deliveries.replayed'),
  );
  expect(activity.map(({ summary }) => summary)).toEqual(
    expect.arrayContaining([
      'The operator resumed the webhook address: Their host was replaced',
      'The operator sent 2 events again: Their host was replaced',
    ]),
  );
}, 240_000);

test('one event is shown with its attempts, and sent once more', async () => {
  const group = await groupEnded();
  const [first] = await eventually(
    async () => arrived(group),
    (seen) => seen.length === 1,
  );
  const id = first!.body.id;
  const shown = await eventually(
    () => json<Record<string, unknown>>('delivery', 'show', app.id, id),
    (seen) => seen['status'] === 'delivered',
  );
  expect(shown).toMatchObject({ id, type: 'group.archived', attempt_count: 1, attempts: [{ status: 200 }] });
  const words = (await hearth('delivery', 'show', app.id, id)).printed;
  expect(words).toContain('delivered');
  await hearth('delivery', 'replay', '--app', app.id, '--event', id, '--reason', 'They asked for it');
  const both = await eventually(
    async () => arrived(group),
    (seen) => seen.length === 2,
  );
  expect(both[1]!.raw).toBe(both[0]!.raw);
});

test('no payload, secret or full address is shown', async () => {
  receiver.always('breaks');
  await groupEnded();
  await eventually(own, (seen) => seen?.['status'] === 'failing');
  const list = await json('delivery', 'list', '--app', app.id);
  const show = await json('delivery', 'show', app.id, String(list[0]!['id']));
  const seen = JSON.stringify([list, show, await own()]);
  for (const hidden of ['Book club', 'Ada', 'body', new URL(receiver.url).pathname, app.key, app.secret])
    expect(seen).not.toContain(hidden);
});

test('only the operator can see or do any of it', async () => {
  const calls: [method: string, path: string, body?: object][] = [
    ['GET', '/v0/admin/deliveries'],
    ['GET', '/v0/admin/deliveries/destinations'],
    ['GET', `/v0/admin/deliveries/${app.id}/evt_${'0'.repeat(32)}`],
    ['POST', '/v0/admin/deliveries/replay', { app: app.id, since: '2026-01-01T00:00:00Z', reason: 'x' }],
    ['POST', `/v0/admin/deliveries/destinations/${app.id}/resume`, { reason: 'x' }],
  ];
  for (const [method, path, body] of calls) {
    expect((await apiClient(home.urls).request(method, path, body)).status).toBe(401);
    for (const client of [app, ada]) expect((await client.request(method, path, body)).status).toBe(403);
  }
});
