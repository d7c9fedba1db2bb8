import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@hearth/cli';
import { systemClock } from '@hearth/clock';
import { openDatabase } from '@hearth/db';
import { systemRandom } from '@hearth/ids';
import { startHome } from '@hearth/runtime';
import { createSealer } from '@hearth/sealing';
import { createLogger } from '@hearth/telemetry';
import { eventually } from '@hearth/testkit';
import { freePort } from '@hearth/testkit/free-port';
import { type ApiClient, apiClient, signUpAi } from '@hearth/testkit/home';
import { createMigratedDatabase } from '@hearth/testkit/migrated-database';
import { afterAll, expect, test } from '@jest/globals';
import { services } from '../src/services.ts';
import { register } from './support/oauth-client.ts';

/** Changes the seal key of a whole home, with a value in every place that stores one. */

const testDatabase = await createMigratedDatabase(services);
const database = openDatabase({ url: testDatabase.url, clock: systemClock });
const folder = mkdtempSync(join(tmpdir(), 'hearth-reseal-'));
const log = createLogger({ level: 'error', service: 'home', stream: { write: () => {} } });
let running: { stop(): Promise<void> } | undefined;
afterAll(async () => {
  await running?.stop();
  await database.close();
  await testDatabase.drop();
  rmSync(folder, { recursive: true, force: true });
});

const newKey = () => randomBytes(32).toString('base64url');
const [first, second, third] = [newKey(), newKey(), newKey()];
const port = await freePort();
const operatorKey = `hearth_op_${randomBytes(32).toString('hex')}`;
const url = `http://127.0.0.1:${port}`;

async function start(key: string, other?: string) {
  const home = await startHome(
    services,
    {
      DATABASE_URL: testDatabase.url,
      HEARTH_DATA: folder,
      HEARTH_BIND: '127.0.0.1',
      HEARTH_HOME: `localhost:${port}`,
      HEARTH_OPERATOR_KEY: operatorKey,
      HEARTH_SEAL_KEY: key,
      ...(other !== undefined && { HEARTH_SEAL_KEY_OTHER: other }),
      HEARTH_LIMITS: 'relaxed',
      PORT: `${port}`,
    },
    { log },
  );
  running = home;
  return { home, operator: apiClient([url], operatorKey) };
}

async function sent(answer: ReturnType<ApiClient['request']>) {
  const { status, body } = await answer;
  expect([status, status < 300 ? undefined : body]).toEqual([status, undefined]);
  return body;
}

interface SealedPlace {
  place: string;
  remaining?: number;
  unopened: number;
}

const rows = <Row>(text: string) => database.db.query<Row>({ text });

/** Every row of every table, as text. */
async function everythingStored(): Promise<string> {
  const tables = await rows<{ name: string }>(
    "select schemaname || '.' || tablename as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
  );
  const dumps: string[] = [];
  for (const { name } of tables) {
    for (const { row } of await rows<{ row: string }>(`select t::text as row from ${name} t`))
      dumps.push(`${name} ${row}`);
  }
  return dumps.join('\n');
}

/** How values sealed by this key begin, in hex and in base64. */
const signs = (mark: Buffer) => [mark.toString('hex'), mark.toString('base64').slice(0, 6)];
const holds = (dump: string, mark: Buffer) =>
  dump.split('\n').filter((row) => signs(mark).some((sign) => row.includes(sign)));

/** The output of the operator's tool. @throws its complaint */
async function hearth(...line: string[]): Promise<string> {
  const [printed, complained]: [string[], string[]] = [[], []];
  const code = await run(line, {
    env: { HEARTH_SITE_URL: url, HEARTH_OPERATOR_KEY: operatorKey },
    folders: [],
    readFile: () => undefined,
    readInput: async (path) => readFileSync(path),
    fetch,
    clock: systemClock,
    print: (text) => printed.push(text),
    complain: (text) => complained.push(text),
  });
  if (code !== 0) throw new Error(complained.join('\n'));
  return printed.join('\n');
}

test('leaves no value under the old key, and still opens and derives everything', async () => {
  // With a second key, every value says which key sealed it.
  const before = createSealer(first, systemRandom, { other: third });
  const home = await start(first, third);
  const { app_key: appKey } = await sent(
    home.operator.post('/v0/admin/apps', {
      name: 'Planner',
      contact_email: 'ops@planner.example',
      minors: true,
    }),
  );
  const app = apiClient([url], appKey);
  await sent(app.post('/v0/app/secret', { overlap_hours: 24 }));
  const ada = await sent(
    app.post('/v0/people', { name: 'Ada Lovelace', birth_year_month: '1990-12', guest: false }),
  );
  const asAda = (path: string, body: object) => app.request('POST', path, body, { 'svc-acting-for': ada.id });
  const group = await sent(asAda('/v0/groups', { name: 'Walks' }));
  const invitation = { to: 'ben@elsewhere.example', request_id: 'once' };
  const invite = await sent(asAda(`/v0/groups/${group.id}/invites`, invitation));
  const robin = await signUpAi([url], { name: 'Robin' });
  await register(`http://localhost:${port}`, { token_endpoint_auth_method: 'client_secret_basic' });
  const [subscription, mail] = [
    '00000000-0000-8000-8000-000000000001',
    '00000000-0000-7000-8000-000000000002',
  ];
  const secretOf = (plain: string) => before.seal(Buffer.from(plain), `subscription.secret:${subscription}`);
  await database.transaction(async (tx) => {
    await tx.execute({
      text: `insert into delivery.subscriptions (id, ai, name, url, secret, old_secret, refresh_before, created_at, ended_at)
        values ($1, $1, 'message.direct', 'https://a.example', $2, $3, now(), now(), now())`,
      values: [subscription, secretOf('new'), secretOf('old')],
    });
    await tx.execute({
      text: "insert into delivery.mail_sends (id, source, kind, content, at, refused) values ($1, 'given', 'code', $2, now(), true)",
      values: [mail, before.seal(Buffer.from('{}'), `mail.given:${mail}`)],
    });
    await tx.execute({
      text: 'insert into groups.mails (invite, email, code, next_at) select id, $1, $2, now() from groups.invites on conflict do nothing',
      values: [
        'ben@elsewhere.example',
        before.seal(Buffer.from(invite.code), `invite.code:${uuidOf(invite.id)}`),
      ],
    });
  });
  const sealedBefore = holds(await everythingStored(), before.mark).map((row) => row.split(' ')[0]);
  await home.home.stop();

  const two = await start(second, first);
  const keysBefore = (await two.operator.get('/v0/admin/keys')).body;
  expect(keysBefore.seal.places).toHaveLength(11);
  expect(new Set(sealedBefore)).toEqual(
    new Set(keysBefore.seal.places.map(({ place }: SealedPlace) => place.split('.').slice(0, 2).join('.'))),
  );
  expect(await hearth('key', 'list')).toContain('hearth key reseal');
  expect(await hearth('key', 'reseal', '--reason', 'the key was seen')).toContain(
    'Some stored secrets are not encrypted',
  );
  const { places } = await eventually(async () => {
    const { seal } = (await two.operator.get('/v0/admin/keys')).body;
    return seal.places.every(({ remaining }: SealedPlace) => remaining !== undefined) && seal;
  });
  expect(places.filter(({ remaining, unopened }: SealedPlace) => remaining! > 0 || unopened > 0)).toEqual([]);
  expect(holds(await everythingStored(), before.mark)).toEqual([]);
  expect(await hearth('key', 'list')).toContain('All stored secrets are encrypted with seal key');
  await two.home.stop();

  const three = await start(second);
  // The app's secrets, its person's month of birth, an invite's code, an AI's claim link.
  await sent(app.get('/v0/app'));
  expect(await sent(asAda(`/v0/groups/${group.id}/invites`, invitation))).toMatchObject({
    code: invite.code,
  });
  const whoami = await sent(apiClient([url], robin.key).get('/v0/me'));
  expect(whoami.claim_link).toBe(robin.signUp.body.claim_link);

  // The operator changes the signing keys, as in routine and in an emergency.
  const document = async () => await sent(three.operator.get('/.well-known/service.json'));
  const [signing] = (await document()).keys;
  const recoveryFile = join(folder, 'recovery.key');
  expect(await hearth('key', 'rotate')).toMatch(/as the next key/);
  expect(await hearth('key', 'rotate', '--now')).toMatch(/is active/);
  const [newer] = (await document()).keys;
  expect(newer.kid).not.toBe(signing.kid);
  expect(await hearth('key', 'revoke', newer.kid, '--key', recoveryFile)).toMatch(
    /Signed the new document with the recovery key/,
  );
  const listed = await hearth('key', 'list');
  expect(listed).toMatch(new RegExp(`${newer.kid} +record request +revoked`));
  const after = await document();
  const jwks = await sent(three.operator.get('/.well-known/mcp-webhook-jwks.json'));
  const kids = jwks.keys.map(({ kid }: { kid: string }) => kid);
  expect(kids).toContain(after.keys[0].kid);
  expect(kids).not.toContain(newer.kid);
  const made = await hearth('key', 'rotate', '--recovery');
  await expect(hearth('key', 'recover', '--key', recoveryFile)).rejects.toThrow(
    'not an active recovery key of this home',
  );
  const newFile = join(folder, 'new.key');
  writeFileSync(newFile, made.split('\n').at(-1)!);
  expect(await hearth('key', 'recover', '--key', newFile)).toMatch(/with the recovery key and published it/);
  expect((await document()).signatures.length).toBeGreaterThan(1);
  await three.home.stop();
});

const uuidOf = (id: string) =>
  id.replace(/^[a-z]+_/, '').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
