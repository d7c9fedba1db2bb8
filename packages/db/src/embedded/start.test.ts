import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { eventually } from '@hearth/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLog } from '../types.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';
import { ask, remove, runs, temporaryFolder } from './test-support.ts';

let folder: string;
const started: EmbeddedPostgres[] = [];

beforeEach(() => {
  folder = temporaryFolder();
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()));
  remove(folder);
});

async function start(
  options: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {},
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ folder, ...options });
  started.push(server);
  return server;
}

async function stop(server: EmbeddedPostgres): Promise<void> {
  started.splice(started.indexOf(server), 1);
  await server.stop();
}

describe("the home's own Postgres", () => {
  test('keeps its data from one start to the next', async () => {
    const first = await start();
    await ask(first.url, 'create table kept (id integer)');
    await ask(first.url, 'insert into kept values (7)');
    await stop(first);
    expect(runs(first.pid)).toBe(false);
    const second = await start();
    expect(await ask(second.url, 'select id from kept')).toEqual([{ id: 7 }]);
  });

  test('listens on loopback only, requires its password, writes to disk and uses UTF-8', async () => {
    const { url } = await start();
    expect(
      await ask(
        url,
        `select current_setting('listen_addresses') as listen, current_setting('unix_socket_directories') as sockets,
      current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
      current_setting('server_encoding') as encoding, current_setting('jit') as jit`,
      ),
    ).toEqual([
      { listen: '127.0.0.1', sockets: '.', fsync: 'on', commit: 'on', encoding: 'UTF8', jit: 'off' },
    ]);
    await expect(ask(url.replace(/:[^:@/]*@/, ':guess@'), 'select 1')).rejects.toThrow('refuses');
    expect(statSync(join(folder, 'password')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'cluster')).mode & 0o777).toBe(0o700);
  });

  test('is reached over a socket in its folder, or over TCP where the path is too long for a socket', async () => {
    const { url } = await start();
    const text = 'select inet_client_addr() is null as "bySocket"';
    expect(await ask(url, text)).toEqual([{ bySocket: true }]);
    const long = join(folder, 'a'.repeat(60), 'b'.repeat(60));
    mkdirSync(long, { recursive: true });
    expect(await ask((await start({ folder: long })).url, text)).toEqual([{ bySocket: false }]);
  });

  test('resolves its folder against the working directory', async () => {
    const named = relative(process.cwd(), folder);
    expect(await ask((await start({ folder: named })).url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('uses the given port, and reports when that port is taken', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const { port } = holder.address() as { port: number };
    await expect(start({ port })).rejects.toThrow(/did not start[\s\S]*Address already in use/);
    await new Promise((resolve) => holder.close(resolve));
    expect((await start({ port })).url).toContain(`:${port}/`);
  });

  test('restarts at the same address when it ends by itself', async () => {
    const said: string[] = [];
    const log = { ...silentLog, error: (_fields: object, message: string) => void said.push(message) };
    const server = await start({ log });
    await ask(server.url, 'create table kept (id integer)');
    for (const signal of ['SIGKILL', 'SIGQUIT'] as const) {
      const before = server.pid;
      process.kill(before, signal);
      await eventually(() => server.pid !== before);
      expect(await ask(server.url, 'select count(*) from kept')).toEqual([{ count: 0 }]);
    }
    expect(said).toContain('Postgres ended by itself and is started again');
  });

  test('stops for good even during a restart', async () => {
    const server = await start();
    process.kill(server.pid, 'SIGKILL');
    await eventually(() => !runs(server.pid));
    await stop(server);
    // The killed server's pid file stays if no server was started after it; no process may run under that id.
    const pidFile = join(folder, 'cluster', 'postmaster.pid');
    if (existsSync(pidFile)) expect(runs(Number.parseInt(readFileSync(pidFile, 'utf8'), 10))).toBe(false);
    await start();
  });

  test('stops within its deadline despite a busy connection', async () => {
    const server = await start();
    const busy = ask(server.url, 'select pg_sleep(60)').catch((error: { kind: string }) => error.kind);
    await eventually(
      async () =>
        (await ask(server.url, `select 1 from pg_stat_activity where query like '%sleep(60)'`)).length > 0,
    );
    await stop(server);
    expect(await busy).toBe('unavailable');
  });

  test('refuses a second home on its folder, and names the process that holds it', async () => {
    await start();
    await expect(startEmbeddedPostgres({ folder })).rejects.toThrow(
      new RegExp(`another home runs on the data folder ${folder} \\(process ${process.pid}\\).*HEARTH_DATA`),
    );
  });
});

describe('a data folder that cannot be used', () => {
  test('of another major version is refused by name', async () => {
    await stop(await start());
    writeFileSync(join(folder, 'cluster', 'PG_VERSION'), '15\n');
    await expect(start()).rejects.toThrow('was written by Postgres 15 and the home now brings Postgres 18');
  });

  test('without its password is refused', async () => {
    await stop(await start());
    rmSync(join(folder, 'password'));
    await expect(start()).rejects.toThrow("password of the home's own Postgres");
  });

  test('that is not a data folder is left alone', async () => {
    mkdirSync(join(folder, 'cluster'));
    writeFileSync(join(folder, 'cluster', 'thesis.txt'), 'ten years of work');
    await expect(start()).rejects.toThrow('holds no Postgres data');
    expect(readFileSync(join(folder, 'cluster', 'thesis.txt'), 'utf8')).toBe('ten years of work');
  });

  test('left incomplete by an interrupted start is created again', async () => {
    mkdirSync(join(folder, 'cluster.new-abc'));
    writeFileSync(join(folder, 'cluster.new-abc', 'PG_VERSION'), '18');
    await start();
    expect(existsSync(join(folder, 'cluster.new-abc'))).toBe(false);
  });

  test('of a crashed server is recovered, even if its process id is in use again', async () => {
    const server = await start();
    await stop(server);
    const file = join(folder, 'cluster', 'postmaster.pid');
    for (const text of [`${process.ppid}\n/elsewhere\n`, `${server.pid}\n${folder}\n`, '', 'rubbish']) {
      writeFileSync(file, text);
      await stop(await start());
    }
    expect(runs(process.ppid)).toBe(true);
  });

  test('that is not writable is refused', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    chmodSync(file, 0o400);
    await expect(startEmbeddedPostgres({ folder: join(file, 'inside') })).rejects.toMatchObject({
      name: 'HearthError',
    });
  });
});
