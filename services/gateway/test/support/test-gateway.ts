import { type Bus, createLocalBus } from '@hearth/bus';
import { createMemoryCache } from '@hearth/cache';
import { type Clock, systemClock } from '@hearth/clock';
import { readHomeConfig } from '@hearth/config';
import { createIds, systemRandom } from '@hearth/ids';
import { createLimiter, readLimits } from '@hearth/limits';
import { createClient, createDispatcher, createLocalChannel } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { createSealer } from '@hearth/sealing';
import { createLogger, type LogLevel } from '@hearth/telemetry';
import { startGateway } from '../../src/service.ts';
import { addPeers, type Peers } from './peers.ts';

export interface TestGateway {
  url: string;
  port: number;
  bus: Bus;
  /** What was logged, a JSON line each. */
  lines: string[];
  wake(...topics: string[]): void;
  drain(): Promise<void>;
  stop(): Promise<void>;
}

export interface TestGatewayOptions extends Peers {
  env?: Record<string, string>;
  clock?: Clock;
  ready?: Host['ready'];
  logLevel?: LogLevel;
}

export const operatorKey = 'the-operators-key-of-the-tests';

/** A gateway as it runs, whose peers are small handlers on a real dispatcher of the same process. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const {
    clock = systemClock,
    env = {},
    ready = async () => ({ ok: true, reasons: [] }),
    logLevel = 'info',
  } = options;
  const lines: string[] = [];
  const log = createLogger({
    level: logLevel,
    service: 'gateway',
    stream: { write: (line) => lines.push(line) },
  });
  const config = readHomeConfig({
    PORT: '0',
    HEARTH_BIND: '127.0.0.1',
    HEARTH_HOME: 'localhost:8080',
    ...env,
  });
  const bus = createLocalBus({ log });
  const cache = createMemoryCache({ clock, maxEntries: 10_000 });
  const limits = readLimits(config.limits, { homeName: config.home });
  const dispatcher = createDispatcher({
    clock,
    onUnexpected: (error, method) => log.error({ err: error, method }, 'a call failed unexpectedly'),
  });
  const { wake } = addPeers(dispatcher, options);
  const channel = createLocalChannel(dispatcher, clock.now);
  const drains: (() => Promise<void>)[] = [];
  const stops: (() => Promise<void>)[] = [];
  const host = {
    config,
    limits,
    limiter: createLimiter({ limits, cache, clock, prefix: 'test:' }),
    clock,
    random: systemRandom,
    ids: createIds(clock, systemRandom),
    log,
    bus,
    cache,
    operatorKey,
    sealer: createSealer(Buffer.from(systemRandom.bytes(32)).toString('base64url'), systemRandom),
    serve: (service, handlers) => dispatcher.add(service, handlers),
    peer: (_name, service) => createClient(service, { channel, service: 'gateway', clock }),
    every: () => {},
    ready,
    onDrain: (work) => drains.push(work),
    onStop: (work) => stops.push(work),
  } as Pick<Host, 'serve' | 'peer' | 'every' | 'onDrain' | 'onStop'> as Host;
  const server = await startGateway(host);

  let drained: Promise<void> | undefined;
  const drain = () => {
    drained ??= (async () => {
      for (const work of drains.reverse()) await work();
    })();
    return drained;
  };
  return {
    url: `http://127.0.0.1:${server.port}`,
    port: server.port,
    bus,
    lines,
    wake,
    drain,
    async stop() {
      await drain();
      for (const work of stops.reverse()) await work();
      await bus.close();
      await cache.close();
    },
  };
}
