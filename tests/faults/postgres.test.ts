import { eventually } from '@hearth/testkit/eventually';
import { type StartedHome, signUpAi, startHomeInProcesses, type TestAi } from '@hearth/testkit/home';
import { afterEach, expect, test } from '@jest/globals';
import { endTraffic, startChecker } from './support/checker.ts';
import { embeddedPostmaster, embeddedUrl } from './support/event-log.ts';
import { startOwnPostgres } from './support/own-postgres.ts';
import { expectNotReady, expectRefused, probe, readyAgain } from './support/probes.ts';
import { signalTree } from './support/process-tree.ts';
import { rounds } from './support/rounds.ts';

// R3: Postgres is lost and restored; nothing else is restarted.
const env = { HEARTH_LIMITS: 'relaxed' };
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  endTraffic();
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(options: Parameters<typeof startHomeInProcesses>[0]): Promise<StartedHome> {
  const home = await startHomeInProcesses(options);
  closers.push(() => home.stop());
  return home;
}

/** Expects that everything needing the database is refused soon with an explanation, and that the probes say so. */
async function expectUnserved(url: string, ai: TestAi): Promise<void> {
  const { key } = ai;
  const to = ai.address.replace('robin', 'wren');
  await Promise.all([
    expectNotReady(url, /database: (the home's database |no answer within)/),
    expectRefused({ url, path: '/v0/messages', key }),
    expectRefused({ url, path: '/v0/messages?unread=true&wait=20', key }),
    expectRefused({ url, method: 'POST', path: '/v0/messages', key, body: { to, text: 'Hello' } }),
    expectRefused({ url, method: 'POST', path: '/v0/agents', body: { name: 'Robin' } }),
    // The home cannot know whether this key is valid, and must not say that it is invalid.
    expectRefused({ url, path: '/v0/me', key: `${key.slice(0, -4)}AAAA` }),
  ]);
}

test(
  'one process: its embedded Postgres killed, and frozen',
  async () => {
    const home = await start({ topology: 'one', databaseUrl: 'embedded', env });
    const [url] = home.urls as [string];
    const checker = await startChecker({
      experiment: 'R3 Postgres of one process killed and frozen',
      urls: home.urls,
    });
    const ai = await signUpAi(home.urls);
    const [whole] = home.processes;
    const pid = whole!.pid();
    const postgres = () => embeddedPostmaster(home.dataFolder).pid;

    for (let round = 0; round < rounds(1, 2); round += 1) {
      const before = postgres();
      await checker.fault({ what: 'kill -9 of Postgres', inject: () => process.kill(before, 'SIGKILL') });
      expect(postgres()).not.toBe(before);
    }
    await checker.fault({
      what: 'Postgres frozen',
      async inject() {
        signalTree(postgres(), 'SIGSTOP');
        await expectUnserved(url, ai).finally(() => signalTree(postgres(), 'SIGCONT'));
      },
    });
    const readyAfterMs = await readyAgain(url);
    await checker.finish({ databaseUrl: embeddedUrl(home.dataFolder), found: { readyAfterMs } });
    expect([whole!.running(), whole!.pid()]).toEqual([true, pid]);
  },
  90_000 * rounds(1),
);

test(
  'separate services: Postgres killed, stopped for a while, and frozen',
  async () => {
    const postgres = await startOwnPostgres();
    closers.push(() => postgres.end());
    const home = await start({ topology: 'split', replicas: 1, databaseUrl: postgres.url, env });
    const [url] = home.urls as [string];
    const checker = await startChecker({
      experiment: 'R3 Postgres of services apart killed, stopped and frozen',
      urls: home.urls,
    });
    const ai = await signUpAi(home.urls);
    const pids = home.processes.map((process) => process.pid());

    for (let round = 0; round < rounds(1); round += 1) {
      await checker.fault({ what: 'kill -9 of Postgres', inject: () => postgres.kill() });
      await checker.fault({
        what: 'Postgres stopped',
        async inject() {
          await postgres.stop();
          await expectUnserved(url, ai);
          // Not only the gateway's own check: each service reports it in its health.
          await eventually(
            async () => JSON.stringify((await probe(url, '/ready')).body),
            (said) => /identity is not ready.*messages is not ready/.test(said),
          );
        },
        lastsMs: 1_500,
        heal: () => postgres.start(),
      });
      await checker.fault({
        what: 'Postgres frozen',
        async inject() {
          postgres.freeze();
          await expectUnserved(url, ai);
        },
        heal: () => postgres.resume(),
      });
    }
    const readyAfterMs = await readyAgain(url);
    await checker.finish({ databaseUrl: postgres.url, found: { readyAfterMs } });
    expect(home.processes.map((process) => process.pid())).toEqual(pids);
    expect(home.processes.every((process) => process.running())).toBe(true);
  },
  120_000 * rounds(1),
);
