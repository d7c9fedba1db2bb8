import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createLocalBus } from '@hearth/bus';
import { day, hour, minute, second } from '@hearth/clock';
import { sql } from '@hearth/db';
import { createGuardedHttp, type GuardedHttpOptions } from '@hearth/guarded-http';
import { certificate, privateKey } from '@hearth/guarded-http/testing/certificate';
import { printId } from '@hearth/ids';
import { createEngine, post } from '@hearth/outbound';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { createLogger } from '@hearth/telemetry';
import { eventually } from '@hearth/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { touchDestinations } from '../src/shared/db/destinations.ts';
import { createWakeUpKind } from '../src/subscriptions/actions/wake-up-kind.ts';
import { ids } from './stand-ins.ts';
import { callerOf } from './start-streams.ts';
import { secret, startSubscriptions, type TestSubscriptions } from './start-subscriptions.ts';
import { expectSigned } from './wake-up-receiver.ts';

let home: TestSubscriptions;

beforeEach(async () => {
  home = await startSubscriptions();
});
afterEach(() => home.stop());

const log = createLogger({ level: 'error', service: 'test' });

describe('a subscription is suspended', () => {
  test('when twenty in a row were given up, and a renewal resumes it with a gap notice', async () => {
    const robin = await home.subscriber();
    home.receiver.always({ status: 410 });
    const lost = await home.woken(robin, 20);
    expect((await home.list(robin))[0]!.deliveryStatus).toMatchObject({
      active: false,
      lastError: 'http_4xx',
    });
    const tried = home.receiver.messages().length;
    home.receiver.always({ status: 204 });
    const [meanwhile] = await home.wake(robin);
    await home.pass(5 * hour);
    expect(home.receiver.messages()).toHaveLength(tried);

    const renewed = await home.subscribe(robin);
    // Its state before the renewal; now it is active again.
    expect(renewed.deliveryStatus!.active).toBe(false);
    expect((await home.list(robin))[0]!.deliveryStatus!.active).toBe(true);
    await home.quiet();
    const [gap, ...more] = home.receiver.messages().slice(tried);
    expect(more).toEqual([]);
    expectSigned(gap!, [secret], home.federation);
    const polled = await home.poll(robin, { cursor: gap!.body.cursor, limit: 100 });
    expect(polled.events.map(({ eventId }) => eventId)).toEqual([...lost, meanwhile]);
    const [next] = await home.woken(robin);
    expect(home.receiver.eventIds().at(-1)).toBe(next);
    expect(home.receiver.ofType('gap')).toHaveLength(1);
  });

  test('when nearly all of a hundred attempts in an hour fail', async () => {
    const robin = await home.subscriber();
    home.receiver.always({ status: 500 });
    await home.woken(robin, 60);
    expect((await home.list(robin))[0]!.deliveryStatus!.active).toBe(true);
    await home.pass(5 * second);
    expect((await home.list(robin))[0]!.deliveryStatus!.active).toBe(false);
    expect(home.receiver.messages().length).toBeLessThanOrEqual(108);
  });
});

describe('when an AI is switched off or changes hands', () => {
  const changes = {
    revoked: (home: TestSubscriptions, ai: { id: string; revoked?: boolean }) => {
      ai.revoked = true;
      return home.announce({ case: 'aiRevoked', value: { ai: ai.id } });
    },
    changed_hands: (home: TestSubscriptions, ai: { id: string; owner?: string }) => {
      ai.owner = home.newPerson().id;
      return home.announce({ case: 'aiChanged', value: { ai: ai.id } });
    },
  };

  test.each(['revoked', 'changed_hands'] as const)(
    '%s: its address gets one termination, and nothing more',
    async (why) => {
      const robin = home.newAi(home.newPerson());
      const made = await home.subscribe(robin);
      home.receiver.always({ status: 500 });
      await home.woken(robin, 3);
      const before = home.receiver.messages().length;
      home.receiver.always({ status: 204 });
      await changes[why](home, robin);
      await changes[why](home, robin);
      await home.woken(robin);
      await home.pass(3 * hour);
      const [told, ...more] = home.receiver.messages().slice(before);
      expect(more).toEqual([]);
      expect(told!.body).toEqual({
        to: home.receiver.url,
        type: 'terminated',
        error: { code: -32_012, message: expect.any(String), data: { reason: why } },
      });
      expect(told!.headers['webhook-id']).toMatch(/^msg_terminated_[0-9a-f]{32}$/);
      expect(told!.headers['x-mcp-subscription-id']).toBe(made.id);
      expectSigned(told!, [secret], home.federation);
      expect(await home.list(robin)).toEqual([]);
    },
  );

  test('the termination is retried as often as any other delivery', async () => {
    const robin = home.newAi(home.newPerson());
    await home.subscribe(robin);
    home.receiver.always({ status: 503 });
    await changes.revoked(home, robin);
    await home.quiet();
    for (const pause of [5 * second, 30 * second, 2 * minute, 8 * minute, hour]) await home.pass(pause);
    expect(home.receiver.ofType('terminated')).toHaveLength(5);
  });
});

describe('a subscription ends with the access that made it', () => {
  /** An AI of a person held by an app, with subscriptions made by that app, by two programs, and by the AI itself. */
  async function subscribed() {
    const [app, ada] = [ids.uuid(), home.newPerson()];
    ada.app = app;
    const robin = home.newAi(ada);
    const made = new Map<string, string>();
    for (const [path, access] of Object.entries({
      app: { app },
      p: { grant: 'p' },
      q: { grant: 'q' },
      own: {},
    })) {
      const url = `${home.receiver.url}?${path}`;
      const request = { id: 'me', name: 'message.direct', url, secret };
      const { id } = await home
        .by(callerOf(robin, { aiStatus: AiStatus.CLAIMED, ...access }))
        .subscribe(request, { timeoutMs: 15_000 });
      made.set(id, path);
    }
    const still = async () => (await home.list(robin)).map(({ id }) => made.get(id)).toSorted();
    return { ada, robin, made, still };
  }
  const ended = () => home.receiver.ofType('terminated');

  test('of an app that no longer holds its person, and of no other app', async () => {
    const { ada, robin, made, still } = await subscribed();
    const changed = async (...names: string[]) => {
      await home.announce({ case: 'personChanged', value: { person: { id: ada.id }, changed: names } });
      await home.quiet();
    };
    await changed('name');
    await changed('app');
    expect(await still()).toEqual(['app', 'own', 'p', 'q']);
    ada.app = '';
    for (const _ of [1, 2]) await changed('app');
    expect(await still()).toEqual(['own', 'p', 'q']);
    expect(ended().map(({ headers }) => made.get(String(headers['x-mcp-subscription-id'])))).toEqual(['app']);
    expect(ended()[0]!.body.error.data).toEqual({ reason: 'access_ended' });
    await home.woken(robin);
    expect(home.receiver.eventIds()).toHaveLength(3);
  });

  test('of a key made by a former app or guardian', async () => {
    const [app, gwen, gus] = [ids.uuid(), ids.uuid(), ids.uuid()];
    const ada = Object.assign(home.newPerson(), { app, guardians: [gwen, gus] });
    const robin = home.newAi(ada);
    const made = new Map<string, string>();
    const keys = {
      app: { keyApp: app },
      gwen: { keyMadeBy: gwen },
      gus: { keyMadeBy: gus },
      ada: { keyMadeBy: ada.id },
    };
    for (const [who, key] of Object.entries(keys)) {
      const request = { id: 'me', name: 'message.direct', url: `${home.receiver.url}?${who}`, secret };
      const caller = callerOf(robin, { aiStatus: AiStatus.CLAIMED, ...key });
      made.set((await home.by(caller).subscribe(request, { timeoutMs: 15_000 })).id, who);
    }
    const still = async () => (await home.list(robin)).map(({ id }) => made.get(id)).toSorted();
    const changed = async (name: string) => {
      await home.announce({ case: 'personChanged', value: { person: { id: ada.id }, changed: [name] } });
      await home.quiet();
    };
    await changed('guardian');
    expect(await still()).toEqual(['ada', 'app', 'gus', 'gwen']);
    ada.guardians = [gus];
    await changed('guardian');
    expect(await still()).toEqual(['ada', 'app', 'gus']);
    ada.app = '';
    await changed('app');
    expect(await still()).toEqual(['ada', 'gus']);
  });

  test('of a program that no longer acts as the AI', async () => {
    const { robin, still } = await subscribed();
    for (const _ of [1, 2]) await home.announce({ case: 'grantEnded', value: { ai: robin.id, grant: 'p' } });
    await home.quiet();
    expect(await still()).toEqual(['app', 'own', 'q']);
    expect(ended()).toHaveLength(1);
  });

  test('unless it was renewed with a key of the AI', async () => {
    const { robin } = await subscribed();
    await home.subscribe(robin, { url: `${home.receiver.url}?p` });
    await home.announce({ case: 'grantEnded', value: { ai: robin.id, grant: 'p' } });
    expect(await home.list(robin)).toHaveLength(4);
  });
});

test('a subscription that is not renewed ends silently, and its events can still be polled', async () => {
  const robin = home.newAi();
  const { cursor } = await home.subscribe(robin, { ttlMs: BigInt(hour) });
  home.receiver.next({ status: 503 });
  await home.woken(robin);
  await home.pass(hour);
  await home.wake(robin);
  await home.pass(day);
  expect(home.receiver.messages()).toHaveLength(1);
  expect(await home.list(robin)).toEqual([]);
  expect((await home.poll(robin, { cursor })).events).toHaveLength(2);
});

/** Another process of the home: a second engine on the same database. */
function anotherProcess(options: Partial<GuardedHttpOptions> = {}, aheadMs = 0) {
  const { database, federation, sealer } = home;
  const clock = { now: () => home.clock.now() + aheadMs };
  const http = createGuardedHttp({
    clock,
    devOrigins: [home.receiver.origin, home.other.origin],
    ...options,
  });
  const bus = createLocalBus({ log });
  const outbound = createEngine({ bus, clock, database, ids, log, schema: 'delivery' });
  outbound.add(
    createWakeUpKind({
      clock,
      database,
      federation: federation as never,
      ids,
      log,
      outbound: { post: (posting) => post({ clock, http }, posting) },
      sealer,
    }),
  );
  return {
    outbound,
    async stop() {
      await outbound.stop();
      await http.close();
      await bus.close();
    },
  };
}

test('two processes on one database send each wake-up once', async () => {
  const robins = Array.from({ length: 10 }, () => home.newAi());
  for (const robin of robins) await home.subscribe(robin);
  const other = anotherProcess();
  const sweeping = setInterval(() => void other.outbound.sweep(), 5);
  home.receiver.always((response) => setTimeout(() => response.writeHead(204).end(), 10));
  const sent: string[] = [];
  for (let round = 0; round < 10; round += 1)
    for (const robin of robins) sent.push(...(await home.woken(robin)));
  clearInterval(sweeping);
  await other.stop();
  expect(home.receiver.eventIds().sort()).toEqual(sent.sort());
});

describe('addresses that turn hostile after the check', () => {
  /** Changes a subscription's address without the home noticing, and sends to it with a separate client. */
  async function sendTo(url: string, options: Partial<GuardedHttpOptions>): Promise<string | null> {
    const robin = home.newAi();
    const { id } = await home.subscribe(robin);
    const uuid = id.slice(4).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    // Due a moment in the future, as this process's clock is ahead: the home itself leaves it alone.
    const dueAt = new Date(home.clock.now() + second);
    await home.database.transaction(async (tx) => {
      await tx.execute(sql`update delivery.subscriptions set url = ${url} where id = ${uuid}`);
      await tx.execute(sql`insert into delivery.subscription_sends (subscription, kind, number, event_id, at, data, due_at)
          values (${uuid}, 1, 1, ${ids.uuid()}, ${dueAt}, '{}', ${dueAt})`);
    });
    const process = anotherProcess(options, 2 * second);
    await home.quiet();
    await home.database.transaction((tx) => touchDestinations(tx, 2, [uuid], dueAt));
    await process.outbound.sweep();
    const error = async () =>
      (
        await home.database.db.one<{ error: string | null }>(
          sql`select last_error as error from delivery.subscriptions where id = ${uuid}`,
        )
      ).error;
    await eventually(async () => (await error()) !== null);
    await process.stop();
    return await error();
  }

  test('a name that resolves to the home’s own network is not called', async () => {
    const port = new URL(home.receiver.origin).port;
    const url = `https://rebinds.example.com:${port}/hook`;
    const before = home.receiver.arrived.length;
    for (const found of [['127.0.0.1'], ['10.0.0.1'], ['::ffff:10.0.0.1'], ['93.184.215.14', '192.168.0.1']])
      expect(await sendTo(url, { resolver: { resolve: async () => found } })).toBe('refused_address');
    // Only the challenges of the subscribed addresses.
    expect(home.receiver.messages().length).toBe(0);
    expect(home.receiver.arrived.length).toBe(before + 4);
  });

  test('a server without a valid certificate gets nothing', async () => {
    let requests = 0;
    const server = createHttps({ cert: certificate, key: privateKey }, (_request, response) => {
      requests += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await sendTo(`${origin}/hook`, { devOrigins: [origin] })).toBe('tls_error');
    expect(requests).toBe(0);
    await new Promise((resolve) => server.close(resolve));
  });

  test('a failed name lookup is reported', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('no server'), { code: 'ESERVFAIL' }));
    const url = 'https://hooks.example.com/hook';
    expect(await sendTo(url, { resolver: { resolve } })).toBe('lookup_failed');
  });

  test('a refused connection is reported', async () => {
    const origin = 'http://127.0.0.1:1';
    expect(await sendTo(`${origin}/hook`, { devOrigins: [origin] })).toBe('connection_refused');
  });
});

test('a gap of one AI does not affect another', async () => {
  const [robin, wren] = [home.newAi(), home.newAi()];
  const gone = await home.subscribe(robin);
  await home.subscribe(wren, { url: home.other.url });
  home.receiver.always({ status: 410 });
  await home.wake(robin);
  await home.wake(wren);
  await home.pass(11 * minute);
  expect(home.other.ofType('gap')).toEqual([]);
  expect(new Set(home.receiver.messages().map(({ headers }) => headers['x-mcp-subscription-id']))).toEqual(
    new Set([gone.id]),
  );
  expect(printId('sub', ids.uuid())).not.toBe(gone.id);
});
