import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@hearth/testkit/eventually';
import { type StartedHome, startHomeInProcesses } from '@hearth/testkit/home';
import { startNats } from '@hearth/testkit/nats';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import { inEach as inEachHome, killWriting as killWhenWriting } from './support/both-homes.ts';
import { bringBack } from './support/bring-back.ts';
import { type DeliveryHome, makeDeliveryHome } from './support/delivery-home.ts';
import { embeddedPostmaster, embeddedUrl, onDatabase } from './support/event-log.ts';
import { startOwnPostgres } from './support/own-postgres.ts';
import { startWebhooks, type Webhooks } from './support/webhooks.ts';

// The home, or only delivery, is killed at each step of a delivery, and Postgres and NATS are lost. No event is lost,
// and a receiver that deduplicates by event id sees each once.
interface Setting {
  name: string;
  hooks: Webhooks;
  told: DeliveryHome;
  databaseUrl(): string;
  /** kill -9 and SIGSTOP of the process that delivers. */
  kill(): Promise<void>;
  freeze(): void;
  restart(): Promise<void>;
  /** Each takes away a server that deliveries need, Postgres or NATS, and restores it. */
  loses: readonly (() => Promise<unknown>)[];
  stop(): Promise<void>;
}

async function startOne(): Promise<Setting> {
  const hooks = await startWebhooks();
  const env = { HEARTH_LIMITS: 'relaxed', HEARTH_SEAL_KEY: '', HEARTH_DEV_CALLBACKS: hooks.origin };
  const home = await startHomeInProcesses({ topology: 'one', databaseUrl: 'embedded', env });
  return {
    name: 'one process',
    ...(await settingOf(home, hooks, () => embeddedUrl(home.dataFolder))),
    loses: [async () => process.kill(embeddedPostmaster(home.dataFolder).pid, 'SIGKILL')],
    async stop() {
      await home.stop();
      await hooks.stop();
    },
  };
}

async function startApart(): Promise<Setting> {
  const hooks = await startWebhooks();
  const [postgres, nats] = [await startOwnPostgres(), await startNats()];
  const env = { HEARTH_LIMITS: 'relaxed', HEARTH_DEV_CALLBACKS: hooks.origin };
  const servers = { databaseUrl: postgres.url, natsUrl: nats.url };
  const home = await startHomeInProcesses({ topology: 'split', replicas: 1, ...servers, env });
  return {
    name: 'delivery apart',
    ...(await settingOf(home, hooks, () => postgres.url)),
    loses: [
      async () => {
        await postgres.stop();
        await sleep(1_000);
        await postgres.start();
      },
      async () => {
        await nats.kill();
        await sleep(1_000);
        await nats.start();
      },
    ],
    async stop() {
      await home.stop();
      await Promise.all([postgres.end(), nats.stop(), hooks.stop()]);
    },
  };
}

async function settingOf(home: StartedHome, hooks: Webhooks, databaseUrl: () => string) {
  const delivering = home.of('delivery')[0]!;
  const told = await makeDeliveryHome(home, hooks, databaseUrl);
  const restart = async () => {
    await bringBack(delivering);
    await home.ready();
  };
  const kill = () => delivering.kill();
  const freeze = () => void process.kill(delivering.pid(), 'SIGSTOP');
  return { hooks, told, restart, kill, freeze, databaseUrl };
}

let settings: Setting[] = [];

beforeAll(async () => {
  settings = await Promise.all([startOne(), startApart()]);
  await inEach(({ told }) => told.expectDeliveredOnce());
}, 240_000);
afterAll(() => inEach((setting) => setting.stop()), 60_000);
beforeEach(() => inEach(async (setting) => behave(setting, 'takes')));

const inEach = (work: (setting: Setting) => Promise<unknown>) => inEachHome(settings, work);

function behave({ hooks }: Setting, manner: 'takes' | 'holds'): void {
  for (const name of ['ai', 'app']) hooks.behave(name, manner);
  if (manner === 'takes') hooks.answer();
}

const arrived = ({ hooks }: Setting) => hooks.told.length;

const comes = (setting: Setting, count: number) =>
  eventually(
    async () => arrived(setting),
    (seen) => seen >= count,
  );

const onHome = <T>({ databaseUrl }: Setting, work: (client: pg.Client) => Promise<T>) =>
  onDatabase(databaseUrl(), work);

/** Leases every address to another process for that long; 0 ends a dead process's leases at once. */
const leaseFor = (setting: Setting, seconds: number) =>
  onHome(setting, (client) =>
    client.query(
      `update delivery.destinations set lease = gen_random_uuid(), due_at = null,
         leased_until = clock_timestamp() + $1 * interval '1 second' where leased_until is not null or $1 > 0`,
      [seconds],
    ),
  );

/** @param again how many events may arrive twice: those whose arrival was not acknowledged */
async function afterwards(setting: Setting, again = 0): Promise<void> {
  behave(setting, 'takes');
  const before = arrived(setting);
  await setting.restart();
  await leaseFor(setting, 0);
  await comes(setting, before + again);
  await setting.told.expectDeliveredOnce(40_000);
  if (again > 0) expect(arrived(setting)).toBe(before + again);
}

const killWriting = (setting: Setting, tables: readonly string[], begin: () => Promise<unknown>) =>
  killWhenWriting(setting.databaseUrl(), { ...setting, tables, begin });

describe('killed', () => {
  test('after recording and before sending', async () => {
    await inEach(async (setting) => {
      const before = arrived(setting);
      await leaseFor(setting, 120);
      await setting.told.happen();
      await eventually(
        () => onHome(setting, countWaiting),
        (count) => count === 2,
      );
      await setting.kill();
      expect(arrived(setting)).toBe(before);
      await afterwards(setting);
    });
  }, 240_000);

  test('in the middle of the POST', async () => {
    await inEach(async (setting) => {
      behave(setting, 'holds');
      const before = arrived(setting);
      await setting.told.happen();
      await comes(setting, before + 2);
      await setting.kill();
      await afterwards(setting, 2);
    });
  }, 240_000);

  test('after both were accepted and before that is recorded', async () => {
    await inEach(async (setting) => {
      behave(setting, 'holds');
      const before = arrived(setting);
      await setting.told.happen();
      await comes(setting, before + 2);
      await killWriting(setting, ['delivery.subscription_sends', 'delivery.app_events'], async () =>
        behave(setting, 'takes'),
      );
      await afterwards(setting, 2);
    });
  }, 240_000);
});

async function countWaiting(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ n: number }>(`
    select (select count(*) from delivery.subscription_sends where status = 1)::int
      + (select count(*) from delivery.app_events where status = 1)::int as n`);
  return rows[0]!.n;
}

test('killed after an event and before its recording, then its dependencies fail and recover', async () => {
  await inEach(async (setting) => {
    const { loses, told } = setting;
    const before = arrived(setting);
    await killWriting(setting, ['delivery.streams', 'delivery.app_streams'], async () =>
      expect(await told.happen()).toEqual([201, 200]),
    );
    expect(arrived(setting)).toBe(before);
    await setting.restart();
    await leaseFor(setting, 0);
    let going = true;
    let taken = 0;
    const happening = (async () => {
      while (going) {
        const statuses = await told.happen();
        taken += statuses.filter((status) => status !== null && status < 300).length;
        await sleep(20);
      }
    })();
    for (const lose of loses) {
      await sleep(300);
      await lose();
    }
    // Otherwise the test proved nothing.
    await eventually(
      async () => taken,
      (count) => count > 30,
    ).finally(() => {
      going = false;
    });
    await happening;
    // NATS redelivers the dead process's events after 30 s.
    await told.expectDeliveredOnce(60_000);
  });
}, 240_000);

test('a lost event is detected', async () => {
  await inEach(async (setting) => {
    await leaseFor(setting, 120);
    await setting.told.happen();
    let gone = 0;
    await eventually(
      async () => {
        gone += await onHome(setting, dropWaiting);
        return gone;
      },
      (count) => count === 2,
    );
    await leaseFor(setting, 0);
    await sleep(500);
    const { ai, app } = await setting.told.judge();
    expect([ai.lost.length, app.lost.length]).toEqual([1, 1]);
  });
}, 240_000);

async function dropWaiting(client: pg.Client): Promise<number> {
  const wakeUps = await client.query(`delete from delivery.subscription_sends where status = 1`);
  const events = await client.query(`delete from delivery.app_events where status = 1`);
  return (wakeUps.rowCount ?? 0) + (events.rowCount ?? 0);
}
