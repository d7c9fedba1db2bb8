import { setTimeout as sleep } from 'node:timers/promises';
import { createHomeDatabase, type StartedHome, signUpAi, startHomeInProcesses } from '@hearth/testkit/home';
import { startNats } from '@hearth/testkit/nats';
import type { TestDatabase } from '@hearth/testkit/postgres';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { attempt } from './support/attempt.ts';
import { bringBack } from './support/bring-back.ts';
import { endTraffic, startChecker } from './support/checker.ts';
import { type Left, publishedWithinMs, publishLeft } from './support/event-log.ts';
import { expectNotReady, readyAgain } from './support/probes.ts';
import { rounds } from './support/rounds.ts';

// R4, and the named points of R2: Postgres is the truth, NATS only carries it.
let nats: Awaited<ReturnType<typeof startNats>>;
let database: TestDatabase;
let home: StartedHome;

beforeAll(async () => {
  nats = await startNats();
  database = await createHomeDatabase();
  home = await startHomeInProcesses({
    topology: 'split',
    replicas: 1,
    databaseUrl: database.url,
    natsUrl: nats.url,
    env: { HEARTH_LIMITS: 'relaxed' },
  });
});

afterAll(async () => {
  endTraffic();
  await home?.stop();
  await database?.drop();
  await nats?.stop();
});

test(
  'NATS lost and back, killed around a commit, and wiped: messages are sent throughout, and each event is handled once',
  async () => {
    const checker = await startChecker({ experiment: 'R4 NATS lost and wiped', urls: home.urls });
    const [url] = home.urls as [string];
    const [messages] = home.of('messages');
    const [delivery] = home.of('delivery');
    const [quiet, writer] = [await signUpAi(home.urls), await signUpAi(home.urls)];
    const quietly: string[] = [];
    const found: Record<string, unknown> = {};
    let left: Left | undefined;

    for (let round = 0; round < rounds(1); round += 1) {
      // NATS is lost and restored. No request is refused: committed events wait in the outbox.
      const lost = await checker.fault({
        what: 'NATS lost and back',
        async inject() {
          await nats.kill();
          await expectNotReady(url, /^bus: the connection to NATS at \S+ is lost since/);
          await sleep(1_500);
        },
        heal: () => nats.start(),
      });
      expect(lost.refused).toBe(0);
      expect(lost.longestSilenceMs).toBeLessThan(2_000);
      found['readyAfterLossMs'] = await readyAgain(url);

      // A poll held meanwhile cannot be woken, and is answered at its end.
      await nats.kill();
      const held = attempt({
        url,
        path: '/v0/messages?unread=true&wait=3',
        key: quiet.key,
        withinMs: 10_000,
      });
      await sleep(1_000);
      const { body: sent } = await writer.post('/v0/messages', { to: quiet.address, text: 'unheard' });
      expect(await held).toMatchObject({
        kind: 'answer',
        status: 200,
        body: { messages: [{ id: sent.id }] },
      });
      expect((await held).ms).toBeLessThan(4_500);
      quietly.push(sent.id);
      await quiet.post('/v0/messages/read', { ids: [sent.id] });

      // After the commit, before publishing: NATS is down, and the process that would publish dies.
      await checker.fault({
        what: 'messages killed after commit, before publishing',
        inject: () => messages!.kill(),
        async heal() {
          await nats.start();
          await bringBack(messages!);
          left = await publishLeft(database.url);
        },
      });
      found['left'] = left;
      // The others reconnect to NATS within two seconds, and look for unpublished events every two.
      expect(left!.publishedAfterMs).toBeLessThan(publishedWithinMs + 4_000);

      // Published, not consumed, and lost with the log.
      await checker.fault({
        what: 'NATS wiped with events that nobody had heard',
        async inject() {
          await delivery!.kill();
          await sleep(700);
          await nats.kill();
          await nats.wipe();
        },
        async heal() {
          await nats.start();
          await bringBack(delivery!);
        },
      });
      found['readyAfterWipeMs'] = await readyAgain(url);
    }
    // NATS redelivers the events that delivery held when it was killed, after 30 s.
    await checker.finish({ databaseUrl: database.url, besides: quietly, found });
  },
  120_000 * rounds(1),
);
