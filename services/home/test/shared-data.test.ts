import { readFileSync } from 'node:fs';
import { freePort } from '@hearth/testkit/free-port';
import { type StartedHome, signUpAi, startHomeInProcesses } from '@hearth/testkit/home';
import { startNats } from '@hearth/testkit/nats';
import { createTestDatabase, type TestDatabase } from '@hearth/testkit/postgres';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';

const document = readFileSync(new URL('../../../docs/kubernetes.md', import.meta.url), 'utf8');
const [, accounts = ''] = document.match(/```\n# nats.conf\n(.*?)```/s) ?? [];
const users = ['home_a', 'home_b'] as const;
const passwordOf = (user: string) => `of ${user.toUpperCase()}`;

let nats: Awaited<ReturnType<typeof startNats>>;
const databases: TestDatabase[] = [];
const homes: StartedHome[] = [];
const roles: string[] = [];

async function statement(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

/** Creates a database that only its owner may enter; returns the owner's connection. */
async function databaseOf(user: string): Promise<string> {
  const database = await createTestDatabase();
  databases.push(database);
  const url = new URL(database.url);
  const name = url.pathname.slice(1);
  const role = `${user}_of_${name}`;
  roles.push(role);
  await statement(database.url, `create role ${role} login password '${user}'`);
  await statement(database.url, `alter database ${name} owner to ${role}`);
  await statement(database.url, `revoke connect on database ${name} from public`);
  url.username = role;
  url.password = user;
  return url.href;
}

beforeAll(async () => {
  nats = await startNats({ more: accounts.replaceAll(/\$(HOME_[AB])\b/g, '"of $1"') });
  const ports = [await freePort(), await freePort()];
  const urls = [await databaseOf('home_a'), await databaseOf('home_b')];
  const started = ports.map((port, index) =>
    startHomeInProcesses({
      topology: 'one',
      databaseUrl: urls[index]!,
      among: { port, others: [`localhost:${ports[1 - index]}`] },
      env: {
        HEARTH_LIMITS: 'relaxed',
        NATS_URL: nats.url.replace(
          '//',
          `//${users[index]}:${encodeURIComponent(passwordOf(users[index]!))}@`,
        ),
      },
    }).then((home) => homes.push(home)),
  );
  await Promise.all(started);
  homes.sort((home) => (home.name === `localhost:${ports[0]}` ? -1 : 1));
}, 240_000);

afterAll(async () => {
  await Promise.all(homes.map((home) => home.stop()));
  await nats.stop();
  for (const [index, database] of databases.entries()) {
    await database.drop();
    const server = new URL(database.url);
    server.pathname = '/postgres';
    await statement(server.href, `drop role ${roles[index]}`);
  }
}, 120_000);

test('two homes with separate databases and accounts on one Postgres and one NATS work and exchange messages', async () => {
  const [a, b] = homes as [StartedHome, StartedHome];
  for (const [from, to] of [
    [a, a],
    [b, b],
    [a, b],
    [b, a],
  ] as const) {
    const [robin, wren] = [await signUpAi(from.urls), await signUpAi(to.urls)];
    const address = from === to ? wren.address : `${wren.address.slice(1)}@${to.name}`;
    const held = wren.get('/v0/messages?unread=true&wait=25');
    expect(await robin.post('/v0/messages', { to: address, text: 'Hello' })).toMatchObject({ status: 201 });
    expect((await held).body.messages).toMatchObject([{ text: 'Hello' }]);
  }
}, 120_000);

test('neither home finds data of the other', async () => {
  const streams = await Promise.all(
    users.map(async (user) => {
      const connection = await connect({ servers: nats.url, user, pass: passwordOf(user) });
      const list = await (await jetstreamManager(connection)).streams.list().next();
      await connection.close();
      return list.map(({ config }) => config.name);
    }),
  );
  expect(streams.map(({ length }) => length)).toEqual([1, 1]);
  expect(streams[0]).not.toEqual(streams[1]);
  const foreign = new URL(databases[1]!.url);
  foreign.username = roles[0]!;
  foreign.password = users[0];
  await expect(statement(foreign.href, 'select 1')).rejects.toThrow('permission denied for database');
});
