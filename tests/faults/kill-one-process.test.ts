import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@hearth/testkit/eventually';
import { apiClient, type StartedHome, startHomeInProcesses } from '@hearth/testkit/home';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bringBack } from './support/bring-back.ts';
import { endTraffic, startChecker } from './support/checker.ts';
import {
  embeddedPostmaster,
  embeddedUrl,
  type Left,
  publishedWithinMs,
  publishLeft,
} from './support/event-log.ts';
import { keepAgreeing, keepBooking, keepPosting } from './support/keep-going.ts';
import { isRunning } from './support/process-tree.ts';
import { rounds } from './support/rounds.ts';

// R1: a one-process home on its own Postgres and data folder, killed under traffic again and again.
let home: StartedHome;

beforeAll(async () => {
  // Empty counts as unset: the keys are then generated at the first start and stored in the data folder.
  const env = { HEARTH_OPERATOR_KEY: '', HEARTH_SEAL_KEY: '' };
  home = await startHomeInProcesses({
    topology: 'one',
    databaseUrl: 'embedded',
    env: { ...relaxed, ...env },
  });
});

afterAll(async () => {
  endTraffic();
  await home?.stop();
});

const relaxed = { HEARTH_LIMITS: 'relaxed' };

const homeKeys = async () => (await apiClient(home.urls).get('/.well-known/service.json')).body.keys;

test(
  'kill -9 at random moments loses nothing, shows nothing twice and keeps every key',
  async () => {
    const [process] = home.processes;
    const keys = await homeKeys();
    const checker = await startChecker({ experiment: 'R1 kill -9 of the one-process home', urls: home.urls });
    const [ai] = checker.ais;
    const works = await Promise.all([keepPosting, keepBooking, keepAgreeing].map((keep) => keep(home.urls)));
    const left: Left[] = [];
    const postmasters = [embeddedPostmaster(home.dataFolder).pid];

    for (let round = 1; round <= rounds(3, 4); round += 1) {
      await sleep(300 + Math.random() * 700);
      await checker.fault({
        what: 'kill -9',
        inject: () => process!.kill(),
        // Restarted at once, while the killed home's Postgres still runs, or after it has had time to end.
        lastsMs: round % 2 === 0 ? 0 : Math.random() * 500,
        async heal() {
          if (round % 4 === 3) {
            // Kills it once more before it is up.
            process!.start();
            await sleep(100 + Math.random() * 800);
            await process!.kill();
          }
          await bringBack(process!);
          left.push(await publishLeft(embeddedUrl(home.dataFolder)));
        },
      });
      postmasters.push(embeddedPostmaster(home.dataFolder).pid);
      expect((await ai!.get('/v0/me')).status).toBe(200);
      expect(await homeKeys()).toEqual(keys);
    }
    // Each acknowledged post, booking and agreement exists, exactly once.
    const besides: string[] = [];
    for (const work of works) {
      await eventually(
        async () => work.acknowledged.length,
        (count) => count > 20,
      );
      const { there, told } = await work.finish();
      besides.push(...told);
      expect(there.toSorted()).toEqual(work.acknowledged.toSorted());
    }
    const verdict = await checker.finish({
      databaseUrl: embeddedUrl(home.dataFolder),
      besides,
      found: { postmasters, left },
    });
    expect(verdict.acknowledged).toBeGreaterThan(100);
    expect(Math.max(...left.map((outbox) => outbox.publishedAfterMs))).toBeLessThan(publishedWithinMs);

    // Only the present server runs; none was left behind.
    expect(new Set(postmasters).size).toBe(postmasters.length);
    expect(postmasters.filter(isRunning)).toEqual(postmasters.slice(-1));
  },
  240_000 * rounds(1),
);

test('SIGTERM ends it with exit code 0 despite an idle client, and leaves nothing behind', async () => {
  const { pid } = embeddedPostmaster(home.dataFolder);
  const silent = connect(home.processes[0]!.port, '127.0.0.1');
  await once(silent, 'connect');
  // A forced end after the timeout would exit with 1.
  expect(await home.processes[0]!.terminate()).toBe(0);
  expect(isRunning(pid)).toBe(false);
  silent.destroy();
});
