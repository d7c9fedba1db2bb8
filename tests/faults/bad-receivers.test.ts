import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@hearth/testkit/eventually';
import {
  apiClient,
  type StartedHome,
  signUpAi,
  startHomeInProcesses,
  type TestAi,
} from '@hearth/testkit/home';
import { sampled } from '@hearth/testkit/sample';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type pg from 'pg';
import { wakeAt } from './support/delivery-home.ts';
import { embeddedUrl, onDatabase } from './support/event-log.ts';
import { writeReport } from './support/report.ts';
import { type Manner, startWebhooks, type Webhooks } from './support/webhooks.ts';

// Ten AIs have webhooks next to harmful ones, and must not be affected. Live and bad webhooks share a host, as on a
// large platform, and also have hosts of their own.
const liveCount = 10;
const deadCount = sampled(250, 1_000);
const badManners: readonly Manner[] = ['drips', 'floods', 'redirects', 'cuts', 'holds'];

let hooks: Webhooks;
let hosts: Webhooks[];
/** Speaks no TLS, but is called with TLS. */
let plain: Server;
let home: StartedHome;
let writer: TestAi;
let live: TestAi[];
/** Lags while the home has nothing else to do. */
let alone: number[];
const found: Record<string, unknown> = {};

beforeAll(async () => {
  hooks = await startWebhooks();
  hosts = await Promise.all(Array.from({ length: deadCount / 2 }, startWebhooks));
  plain = createServer((socket) => void socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\n\r\n'));
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const origins = [hooks, ...hosts].map(({ origin }) => origin);
  const env = {
    HEARTH_LIMITS: 'relaxed',
    HEARTH_SEAL_KEY: '',
    HEARTH_DEV_CALLBACKS: [...origins, plainOrigin()].join(),
  };
  home = await startHomeInProcesses({ topology: 'one', databaseUrl: 'embedded', env });
  writer = await signUpAi(home.urls, { name: 'Wren' });
  live = await Promise.all(
    Array.from({ length: liveCount }, (_, index) => wakeAt(home.urls, hooks.url(`live-${index}`))),
  );
  // Warm-up.
  await wakeLive(2);
  alone = await wakeLive(3);
}, 240_000);
afterAll(async () => {
  writeReport('receivers that do harm', found);
  await home?.stop();
  plain?.close();
  await Promise.all([hooks, ...(hosts ?? [])].map((each) => each?.stop()));
}, 240_000);

const plainOrigin = () => `https://127.0.0.1:${(plain.address() as AddressInfo).port}`;
const onHome = <T>(work: (client: pg.Client) => Promise<T>) => onDatabase(embeddedUrl(home.dataFolder), work);

const write = async (to: TestAi) => {
  const { status } = await writer.post('/v0/messages', { to: to.address, text: 'hello' });
  expect(status).toBe(201);
};

/** Wakes the live AIs in turn, forty times a second; returns the delay of each POST after its message. */
async function wakeLive(seconds: number): Promise<number[]> {
  const ofLive = () => hooks.told.filter(({ name }) => name.startsWith('live-'));
  const before = ofLive().length;
  const writing: Promise<void>[] = [];
  for (let n = 0; n < seconds * 40; n += 1) {
    writing.push(write(live[n % liveCount]!));
    await sleep(25);
  }
  await Promise.all(writing);
  const told = await eventually(
    async () => ofLive().slice(before),
    (seen) => seen.length >= writing.length,
  );
  // None lost, none duplicated.
  expect(new Set(told.map(({ about }) => about)).size).toBe(writing.length);
  expect(told).toHaveLength(writing.length);
  return told.map(({ lagMs }) => lagMs);
}

const p99 = (lags: readonly number[]) => [...lags].sort((a, b) => a - b)[Math.ceil(lags.length * 0.99) - 1]!;

/** Well below the duration of a single attempt at a bad address, on a machine busy with tests. */
function expectUnharmed(what: string, lags: readonly number[]): void {
  found[what] = { p99: Math.round(p99(lags)), alone: Math.round(p99(alone)), messages: lags.length };
  expect(p99(lags)).toBeLessThan(p99(alone) * 1.5 + 1_500);
}

function memory(): number {
  const status = readFileSync(`/proc/${home.processes[0]!.pid()}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) / 1_024;
}

test('receivers that send a byte a second, never answer, never end, redirect, or break off', async () => {
  const bad = new Map<string, TestAi>();
  for (const manner of badManners) {
    bad.set(manner, await wakeAt(home.urls, hooks.url(manner)));
    hooks.behave(manner, manner);
  }
  // It could not have echoed a challenge.
  bad.set('tls', await wakeAt(home.urls, hooks.url('tls')));
  await onHome((client) =>
    client.query(`update delivery.subscriptions set url = $1 where url like '%/tls'`, [
      `${plainOrigin()}/tls`,
    ]),
  );
  const before = memory();
  const harming = (async () => {
    for (let n = 0; n < 20; n += 1) {
      await Promise.all([...bad.values()].map(write));
      await sleep(150);
    }
  })();
  const lags = await wakeLive(4);
  await harming;
  expectUnharmed('beside receivers that do harm', lags);
  for (const manner of badManners) expect([manner, hooks.at(manner).length > 0]).toEqual([manner, true]);
  // Redirects are not followed.
  expect(hooks.at('elsewhere')).toEqual([]);
  expect(memory() - before).toBeLessThan(150);
  const errors = await onHome(async (client) => {
    const { rows } = await client.query<{ url: string; error: string }>(
      'select url, last_error as error from delivery.subscriptions where last_error is not null',
    );
    return new Map(rows.map(({ url, error }) => [url.split('/').at(-1), error]));
  });
  expect(Object.fromEntries(errors)).toMatchObject({
    floods: 'http_5xx',
    redirects: 'http_3xx',
    cuts: 'connection_refused',
    tls: 'tls_error',
  });
}, 180_000);

/** An AI without an owner has at most three webhooks, in every home. */
async function vouchFor(ai: TestAi): Promise<void> {
  const fields = { name: 'Planner', contact_email: 'ops@planner.example' };
  const made = await apiClient(home.urls, home.operatorKey).post('/v0/admin/apps', fields);
  const app = apiClient(home.urls, made.body.app_key);
  const person = await app.post('/v0/people', { name: 'Ada', age_band: 'adult' });
  const acting = { 'svc-acting-for': person.body.id };
  expect((await app.request('PUT', `/v0/ais/${ai.id}/vouch`, {}, acting)).status).toBe(200);
}

test(`${deadCount} receivers that never answer, half of them at the host of live ones`, async () => {
  const crowd = await wakeAt(home.urls, hooks.url('dead-0'));
  await vouchFor(crowd);
  const urls = [
    ...hosts.map(({ url }) => url('dead')),
    ...Array.from({ length: deadCount / 2 - 1 }, (_, index) => hooks.url(`dead-${index + 1}`)),
  ];
  const secret = `whsec_${Buffer.alloc(32, 'hearth').toString('base64')}`;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let url = urls.pop(); url !== undefined; url = urls.pop()) {
        const asked = { name: 'message.direct', url, secret };
        expect((await crowd.post('/v0/ais/me/subscriptions', asked)).status).toBeLessThan(300);
      }
    }),
  );
  for (const host of hosts) host.behave('dead', 'holds');
  for (let index = 0; index < deadCount / 2; index += 1) hooks.behave(`dead-${index}`, 'holds');
  const before = memory();
  const reached = () =>
    hosts.reduce((sum, { told }) => sum + told.length, 0) +
    hooks.told.filter(({ name }) => name.startsWith('dead-')).length;
  await write(crowd);
  await eventually(
    async () => reached(),
    (count) => count >= deadCount,
  );
  expectUnharmed('while many that were healthy do not answer', await wakeLive(3));
  // They have failed by now, and are being retried.
  await sleep(2_500);
  expectUnharmed('while many that failed are tried again', await wakeLive(6));
  found['memory'] = { beforeMb: Math.round(before), afterMb: Math.round(memory()) };
  expect(memory() - before).toBeLessThan(250);
  // A delay would show: the second attempts come seconds after the events.
  await eventually(
    async () => Math.max(...hosts.flatMap(({ told }) => told.map(({ lagMs }) => lagMs))),
    (lagMs) => lagMs > 5_000,
  );
}, 240_000);
