import { type StartedHome, signUpAi, startHomeInProcesses } from '@hearth/testkit/home';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { attempt, isClearRefusal } from './support/attempt.ts';
import { endTraffic, startChecker } from './support/checker.ts';
import { embeddedUrl } from './support/event-log.ts';
import { probe } from './support/probes.ts';
import { canMount, mountSmallDisk, type SmallDisk } from './support/small-disk.ts';

// A one-process home whose data folder is on a disk that fills up.
const withSmallDisk = canMount ? describe : describe.skip;

withSmallDisk('a full disk (needs root, to mount a small one)', () => {
  let disk: SmallDisk;
  let home: StartedHome;

  beforeAll(async () => {
    disk = mountSmallDisk(160);
    home = await startHomeInProcesses({
      topology: 'one',
      databaseUrl: 'unmade',
      env: { HEARTH_LIMITS: 'relaxed', HEARTH_DATA: disk.folder },
    });
  });

  afterAll(async () => {
    endTraffic();
    disk?.free();
    await home?.stop();
    disk?.unmount();
  });

  test('refuses writes with the reason, still reads, and recovers by itself', async () => {
    const checker = await startChecker({ experiment: 'Full disk', urls: home.urls, ais: 4 });
    const [url] = home.urls as [string];
    const [wren, robin] = [await signUpAi(home.urls), await signUpAi(home.urls)];
    const stored: string[] = [];
    const [whole] = home.processes;
    const pid = whole!.pid();
    let refusedAfter = 0;

    /** Writes until a write is refused; returns the message. */
    async function writeUntilRefused(): Promise<string> {
      const body = { to: wren.address, text: 'x'.repeat(8_000), data: { filler: 'y'.repeat(15_000) } };
      for (let n = 1; n <= 4_000; n += 1) {
        const write = { url, method: 'POST', path: '/v0/messages', key: robin.key, body, withinMs: 12_000 };
        const outcome = await attempt(write);
        if (outcome.kind !== 'answer') throw new Error(`a write ended with ${JSON.stringify(outcome)}`);
        if (outcome.status === 201) {
          stored.push(outcome.body['id']);
          continue;
        }
        expect({ ...outcome, clear: isClearRefusal(outcome) }).toMatchObject({ status: 503, clear: true });
        refusedAfter = n;
        return outcome.body['error'];
      }
      throw new Error('the disk is full and takes everything');
    }

    await checker.fault({
      what: 'disk full',
      async inject() {
        disk.fill();
        expect(await writeUntilRefused()).toMatch(/^the home's disk is full; nothing can be stored until/);
      },
      lastsMs: 1_000,
      async heal() {
        for (const path of ['/v0/messages', '/v0/me', `/v0/cards/${wren.address}`]) {
          const read = await attempt({ url, path, key: wren.key, withinMs: 5_000 });
          expect({ path, ...read }).toMatchObject({ path, kind: 'answer', status: 200 });
        }
        expect(await probe(url, '/health')).toMatchObject({ status: 200 });
        disk.free();
      },
    });
    expect(await probe(url, '/ready')).toMatchObject({ status: 200 });
    await checker.finish({
      databaseUrl: embeddedUrl(disk.folder),
      besides: stored,
      found: { refusedAfter },
    });
    expect([whole!.running(), whole!.pid()]).toEqual([true, pid]);
  });
});
