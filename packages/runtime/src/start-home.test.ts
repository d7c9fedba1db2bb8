import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@hearth/clock';
import { openDatabase, sql } from '@hearth/db';
import { createLogger } from '@hearth/telemetry';
import { freePort } from '@hearth/testkit/free-port';
import { startNats } from '@hearth/testkit/nats';
import { createTestDatabase, type TestDatabase } from '@hearth/testkit/postgres';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ServiceDefinition } from './service.ts';
import { type ServiceName, serviceNames } from './service-names.ts';
import { startHome } from './start-home.ts';

const log = createLogger({ level: 'error', service: 'test', stream: { write: () => {} } });
let database: TestDatabase;
let folder: string;

// A database belongs to the seal key that its first home generated.
beforeEach(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'hearth-runtime-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

const env = () => ({ DATABASE_URL: database.url, HEARTH_DATA: folder, HEARTH_HOME: 'hearth.example' });
const whole = (start: Partial<Record<ServiceName, ServiceDefinition['start']>> = {}) =>
  serviceNames.map((name): ServiceDefinition => ({ name, start: start[name] ?? (async () => {}) }));

describe('a home', () => {
  test('gives each service its dependencies, and stops in two stages in reverse order', async () => {
    const order: string[] = [];
    const note =
      (name: string): ServiceDefinition['start'] =>
      async (host) => {
        order.push(`start ${name}`);
        host.onDrain(async () => void order.push(`drain ${name}`));
        host.onStop(async () => void order.push(`stop ${name}`));
      };
    const home = await startHome(whole({ identity: note('identity'), gateway: note('gateway') }), env(), {
      log,
    });
    expect(await home.ready()).toEqual({ ok: true, reasons: [] });
    await Promise.all([home.stop(), home.stop()]);
    expect(order).toEqual([
      'start gateway',
      'start identity',
      'drain identity',
      'drain gateway',
      'stop identity',
      'stop gateway',
    ]);
    expect((await home.ready()).ok).toBe(false);
  });

  test('stores generated secrets in files that only their owner can read', async () => {
    const first = await startHome(whole(), env(), { log });
    await first.stop();
    for (const file of ['operator.key', 'seal.key']) {
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    }
    const second = await startHome(whole(), env(), { log });
    await second.stop();
    expect(second.operatorKey).toBe(first.operatorKey);
    expect(first.operatorKey).toMatch(/^hearth_op_[0-9A-Za-z]{43}$/);
  });

  test('uses the given secrets, and stores none of them', async () => {
    const given = { HEARTH_OPERATOR_KEY: 'an-operator-key-of-ours', HEARTH_SEAL_KEY: 'A'.repeat(43) };
    const home = await startHome(whole(), { ...env(), ...given }, { log });
    await home.stop();
    expect(home.operatorKey).toBe(given.HEARTH_OPERATOR_KEY);
    expect(existsSync(join(folder, 'operator.key'))).toBe(false);
    expect(existsSync(join(folder, 'seal.key'))).toBe(false);
  });

  test('keeps its name once others may know it', async () => {
    const startAs = async (name: string) =>
      (await startHome(whole(), { ...env(), HEARTH_HOME: name }, { log })).stop();
    await startAs('localhost:8080');
    await startAs('home.example.org');
    const refused =
      /database of the home home\.example\.org, and HEARTH_HOME is (localhost:8080|other\.example\.org): .*DATABASE_URL/;
    await expect(startAs('localhost:8080')).rejects.toThrow(refused);
    await expect(startAs('other.example.org')).rejects.toThrow(refused);
    await startAs('home.example.org');
  });

  test('keeps its name after a failed start', async () => {
    const named = (HEARTH_HOME: string) => ({ ...env(), HEARTH_HOME });
    const fails = whole({ gateway: () => Promise.reject(new Error('the port is taken')) });
    const opened = openDatabase({ url: database.url, clock: systemClock });
    const kept = () => opened.db.query<{ name: string }>(sql`select name from home.name`);
    await expect(startHome(fails, named('home.example.org'), { log })).rejects.toThrow();
    expect(await kept()).toEqual([]);
    await (await startHome(whole(), named('localhost:8080'), { log })).stop();
    await expect(startHome(fails, named('home.example.org'), { log })).rejects.toThrow();
    expect(await kept()).toEqual([{ name: 'localhost:8080' }]);
    await opened.close();
  });

  test('reports why it is not ready', async () => {
    const start: ServiceDefinition['start'] = async (host) => {
      host.readyWhen('the key', () => Promise.reject(new Error('is still being made')));
    };
    const home = await startHome(whole({ federation: start }), env(), { log });
    expect(await home.ready()).toEqual({ ok: false, reasons: ['federation: the key: is still being made'] });
    await home.stop();
  });

  test('refuses the data folder of a running home', async () => {
    const home = await startHome(whole(), env(), { log });
    await expect(startHome(whole(), env(), { log })).rejects.toThrow(
      /another home runs on the data folder.*HEARTH_DATA/,
    );
    await home.stop();
    await (await startHome(whole(), env(), { log })).stop();
  });

  test('releases its resources when it fails to start', async () => {
    const order: string[] = [];
    const services = whole({
      identity: async (host) => {
        host.onDrain(async () => void order.push('drained'));
        host.onStop(async () => void order.push('stopped'));
      },
      messages: () => Promise.reject(new Error('no messages today')),
    });
    await expect(startHome(services, env(), { log })).rejects.toMatchObject({ kind: 'internal' });
    expect(order).toEqual(['drained', 'stopped']);
    await (await startHome(whole(), env(), { log })).stop();
  });
});

describe('services apart', () => {
  const only = (...names: ServiceName[]) => whole().filter(({ name }) => names.includes(name));
  const apart = only('messages');
  const envApart = (natsUrl: string) => ({
    ...env(),
    ...Object.fromEntries(
      serviceNames
        .filter((name) => name !== 'gateway')
        .map((name) => [`PEER_${name.toUpperCase()}`, '127.0.0.1:1']),
    ),
    NATS_URL: natsUrl,
    HEARTH_PEER_SECRET: 'a'.repeat(32),
    HEARTH_SEAL_KEY: 'A'.repeat(43),
    HEARTH_OPERATOR_KEY: 'an-operator-key-of-ours',
  });

  test('read their own settings only: federation has neither the operator key nor the mail server', async () => {
    const nats = await startNats();
    const read: string[] = [];
    const tries = (name: ServiceName): ServiceDefinition => ({
      name,
      start: async ({ own }) => {
        for (const setting of ['hosts', 'operatorKey', 'recoveryKey', 'smtpUrl'] as const) {
          try {
            own(setting);
            read.push(`${name} ${setting}`);
          } catch {}
        }
      },
    });
    try {
      const { HEARTH_OPERATOR_KEY: key, ...without } = envApart(nats.url);
      await (
        await startHome([tries('federation'), tries('delivery')], { ...without, GRPC_PORT: '0' }, { log })
      ).stop();
      expect(existsSync(join(folder, 'operator.key'))).toBe(false);
      expect(read).toEqual(['federation recoveryKey', 'delivery smtpUrl']);
      await expect(startHome([tries('gateway')], without, { log })).rejects.toThrow('HEARTH_OPERATOR_KEY');
      const gateway = await startHome([tries('gateway')], { ...without, HEARTH_OPERATOR_KEY: key }, { log });
      expect(gateway.operatorKey).toBe(key);
      await gateway.stop();
    } finally {
      await nats.stop();
    }
  });

  test('list all missing settings at once', async () => {
    const starting = startHome(apart, { HEARTH_HOME: 'hearth.example' }, { log });
    const message = await starting.then(
      () => '',
      (error: Error) => error.message,
    );
    for (const variable of [
      'DATABASE_URL',
      'NATS_URL',
      'HEARTH_PEER_SECRET',
      'HEARTH_SEAL_KEY',
      'PEER_IDENTITY',
      'PEER_DELIVERY',
      'PEER_FEDERATION',
    ]) {
      expect(message).toContain(variable);
    }
    expect(message).not.toContain('PEER_MESSAGES');
  });

  test('do not start while another service refuses their calls, and start once it accepts them', async () => {
    const nats = await startNats();
    const running = await startHome(only('identity'), { ...envApart(nats.url), GRPC_PORT: '0' }, { log });
    const settings = {
      ...envApart(nats.url),
      GRPC_PORT: '0',
      PEER_IDENTITY: `127.0.0.1:${running.grpcPort}`,
    };
    try {
      await expect(
        startHome(apart, { ...settings, HEARTH_PEER_SECRET: 'b'.repeat(32) }, { log }),
      ).rejects.toThrow(
        'identity refuses the calls of this process: HEARTH_PEER_SECRET must be the same for all services of the home',
      );
      await (await startHome(apart, settings, { log })).stop();
    } finally {
      await running.stop();
      await nats.stop();
    }
  });

  test('that fail after they began to serve leave nothing that keeps their process alive', async () => {
    const nats = await startNats();
    const grpcPort = await freePort();
    const failing = createLogger({ level: 'error', service: 'test', stream: { write: () => {} } });
    failing.info = ((_fields: object, words?: string) => {
      if (words === 'started') throw new Error('no word of it');
    }) as typeof failing.info;
    const settings = { ...envApart(nats.url), GRPC_PORT: String(grpcPort) };
    try {
      await expect(startHome(apart, settings, { log: failing })).rejects.toMatchObject({ kind: 'internal' });
      const taking = createServer();
      await new Promise<void>((resolve, reject) =>
        taking.on('error', reject).listen(grpcPort, '127.0.0.1', resolve),
      );
      taking.close();
    } finally {
      await nats.stop();
    }
  });
});
