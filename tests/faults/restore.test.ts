import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRunningPostgres } from '@hearth/db';
import { eventually } from '@hearth/testkit/eventually';
import { freePort } from '@hearth/testkit/free-port';
import {
  apiClient,
  createHomeDatabase,
  type StartedHome,
  signUpAi,
  startHomeInProcesses,
  type TestAi,
} from '@hearth/testkit/home';
import { createTestDatabase, type TestDatabase } from '@hearth/testkit/postgres';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ensureTools } from '../../scripts/tools/ensure-tools.mjs';
import { expectStatus } from '../support/home.ts';
import { verifyRecord } from '../support/record-verify.ts';
import { onDatabase } from './support/event-log.ts';

// The procedure of docs/operators/backup.md, word for word: a home is backed up while running, loses its database, and
// is restored, while another home keeps writing to it.
const command = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');
const folder = mkdtempSync(join(tmpdir(), 'hearth-restore-'));
const dump = join(folder, 'home.dump');

let here: StartedHome;
let there: StartedHome;
let database: TestDatabase;
let empty: TestDatabase;
let robin: TestAi;
let wren: TestAi;

beforeAll(async () => {
  await ensureTools(['pg_dump']);
  database = await createHomeDatabase();
  const ports = [await freePort(), await freePort()] as const;
  const start = (index: 0 | 1, databaseUrl: string, env: Record<string, string>) =>
    startHomeInProcesses({
      topology: 'one',
      env: { HEARTH_LIMITS: 'relaxed', ...env },
      among: { port: ports[index], others: [`localhost:${ports[1 - index]!}`] },
      databaseUrl,
    });
  [here, there, empty] = await Promise.all([
    // Its seal key is a file in its data folder, as after a plain `npm start`.
    start(0, 'embedded', { HEARTH_SEAL_KEY: '' }),
    start(1, database.url, {}),
    createTestDatabase(),
  ]);
  [robin, wren] = await Promise.all([
    signUpAi(here.urls, { name: 'Robin' }),
    signUpAi(there.urls, { name: 'Wren' }),
  ]);
}, 250_000);
afterAll(async () => {
  await Promise.all([here?.stop(), there?.stop(), empty?.drop()]);
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

function hearth(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--no-warnings', command, ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', HEARTH_DATA: here.dataFolder, ...env },
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err += chunk));
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

const full = (ai: TestAi, home: StartedHome) => `${ai.address.slice(1)}@${home.name}`;
const send = async (from: TestAi, to: string, text: string) =>
  expectStatus(await from.post('/v0/messages', { to, text }), 201).body;
const textsOf = async (ai: TestAi): Promise<string[]> =>
  (await ai.get('/v0/messages?limit=100')).body.messages.map(({ text }: { text: string }) => text).sort();
const become = (ai: TestAi, texts: string[]) =>
  eventually(
    () => textsOf(ai),
    (seen) => JSON.stringify(seen) === JSON.stringify(texts),
  );
const documentOf = async (home: StartedHome) =>
  (await apiClient(home.urls).get('/.well-known/service.json')).body;
const kidsOf = async (home: StartedHome) =>
  (await documentOf(home)).keys.map(({ kid }: { kid: string }) => kid);
const events = async (cursor?: string) =>
  (await robin.get(`/v0/ais/${robin.id}/events${cursor === undefined ? '' : `?cursor=${cursor}`}`)).body;

test('a home that lost its database is restored under its old keys, and its peer resends what it had sent', async () => {
  const { dataFolder } = here;
  const postgres = join(dataFolder, 'postgres');
  await send(robin, full(wren, there), 'from here, before');
  await become(wren, ['from here, before']);
  await send(wren, full(robin, here), 'from there, before');
  await become(robin, ['from there, before']);
  const kids = await kidsOf(here);
  const card = (await wren.get(`/v0/cards/${full(robin, here)}`)).body;
  const { cursor } = await events();
  // Backdates the logs by two hours: a log restarts once an hour at most.
  const older = `update federation.logs set epoch = epoch - 7200, in_epoch = in_epoch - 7200 where in_epoch > 0;
    update federation.sent_items set epoch = epoch - 7200`;
  for (const url of [findRunningPostgres(postgres)!, database.url])
    await onDatabase(url, (client) => client.query(older));

  // The home runs.
  const made = await hearth(['backup', 'home.dump']);
  expect(made).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining(`Backed up ${here.name} to home.dump`),
  });
  expect(statSync(dump).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['home.dump']);
  expect(await hearth(['backup', 'home.dump'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('is there already'),
  });

  await send(robin, full(wren, there), 'from here, since');
  await become(wren, ['from here, before', 'from here, since']);
  await send(wren, full(robin, here), 'from there, since');
  await become(robin, ['from there, before', 'from there, since']);

  expect(await hearth(['restore', 'home.dump'])).toMatchObject({
    code: 1,
    err: expect.stringContaining(`another home runs on the data folder ${dataFolder}`),
  });
  await here.processes[0]!.terminate();
  expect(await hearth(['restore', 'home.dump'])).toMatchObject({
    code: 1,
    err: expect.stringContaining(
      'holds a database already. To take the place of it, move it away first: mv ',
    ),
  });
  renameSync(postgres, `${postgres}.before`);

  // Without the seal key, or with another one, nothing is left behind. The two folders may be on different file
  // systems.
  copyFileSync(join(dataFolder, 'seal.key'), join(folder, 'seal.key'));
  rmSync(join(dataFolder, 'seal.key'));
  expect(await hearth(['restore', 'home.dump'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('there is no seal key'),
  });
  const wrong = { HEARTH_SEAL_KEY: Buffer.alloc(32, 7).toString('base64url') };
  for (const env of [wrong, { ...wrong, DATABASE_URL: empty.url }])
    expect(await hearth(['restore', 'home.dump'], env)).toMatchObject({
      code: 1,
      err: expect.stringContaining('sealed with another HEARTH_SEAL_KEY'),
    });
  copyFileSync(join(folder, 'seal.key'), join(dataFolder, 'seal.key'));
  writeFileSync(join(folder, 'torn.dump'), 'PGDMP');
  expect((await hearth(['restore', 'torn.dump'])).code).toBe(1);
  expect(readdirSync(dataFolder).filter((name) => name.startsWith('postgres'))).toEqual(['postgres.before']);

  // Its peer's sends find no home meanwhile.
  await send(wren, full(robin, here), 'from there, meanwhile');
  const restoring = hearth(['restore', 'home.dump']);
  let answered = 0;
  const ask = setInterval(
    () =>
      void fetch(here.urls[0]!).then(
        () => (answered += 1),
        () => {},
      ),
    100,
  );
  expect(await restoring).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining(`Restored ${here.name} to ${dataFolder}`),
  });
  clearInterval(ask);
  expect(answered).toBe(0);
  expect(existsSync(`${postgres}.new`)).toBe(false);
  here.processes[0]!.start();
  await here.ready();

  expect(await kidsOf(here)).toEqual(kids);
  expect(here.processes[0]!.output()).not.toContain('recovery.key');
  writeFileSync(join(folder, 'here.json'), JSON.stringify(await documentOf(here)));
  const verified = await verifyRecord(card, ['--home', join(folder, 'here.json'), '--type', 'svc-card+jws']);
  expect(verified).toMatchObject({ code: 0 });
  // The messages that its peer had sent since arrive again, once each, and an old cursor gets the new events.
  await become(robin, ['from there, before', 'from there, meanwhile', 'from there, since']);
  const seen = await eventually(
    () => events(cursor),
    ({ events: found }) => found.length >= 2,
  );
  expect(seen.events).toHaveLength(2);
  // It has a new log: nothing that arrived before arrives again.
  await send(robin, full(wren, there), 'from here, restored');
  await become(wren, ['from here, before', 'from here, restored', 'from here, since']);
  expect(await textsOf(robin)).toHaveLength(3);
  const operator = apiClient(there.urls, there.operatorKey);
  const { homes } = (await operator.get('/v0/admin/homes')).body;
  expect(homes).toMatchObject([{ home: here.name, status: 'good' }]);
}, 240_000);

test('a backup is restored into a database of its own, and never over another home', async () => {
  const env = { DATABASE_URL: empty.url };
  expect(await hearth(['restore', 'home.dump'], env)).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining('to the database at DATABASE_URL'),
  });
  expect(await hearth(['restore', 'home.dump'], env)).toMatchObject({
    code: 1,
    err: expect.stringContaining('the database holds a home already'),
  });
  // Backed up from there, and from the stopped home.
  expect(await hearth(['backup', 'again.dump'], env)).toMatchObject({ code: 0, err: '' });
  await here.processes[0]!.terminate();
  expect(await hearth(['backup', 'stopped.dump'])).toMatchObject({ code: 0, err: '' });
}, 120_000);
