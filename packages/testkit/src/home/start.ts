import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceNames } from '@hearth/runtime/service-names';
import { freePort } from '../free-port.ts';
import { inMemoryFolder } from '../postgres.ts';
import { copyHomePostgres, createHomeDatabase } from './home-data.ts';
import { type ServiceProcess, spawnService } from './service-process.ts';

/** `one`: all services in one process with embedded bus and cache. `split`: each service in its own processes. */
export type Topology = 'one' | 'split';

export function topologyOf(env: Record<string, string | undefined>): Topology {
  return env['HEARTH_TEST_TOPOLOGY'] === 'split' ? 'split' : 'one';
}

export interface StartOptions {
  topology: Topology;
  /** Adds or replaces environment variables. */
  env?: Record<string, string>;
  /**
   * Other homes. This home is then named after its first gateway's address, and knows the others by these names. With
   * `listen` it listens on that port instead, so that a proxy can stand before it.
   */
  among?: { port: number; others: readonly string[]; listen?: number };
  /** Processes of each service in topology `split` (default 2). */
  replicas?: number;
  /**
   * The database. Default: one in the shared test Postgres, migrated. `embedded`: the home's own Postgres, migrated.
   * `unmade`: the same, created by the home at its first start.
   */
  databaseUrl?: string | 'embedded' | 'unmade';
  /** NATS and Redis for topology `split`; by default the test run's. */
  natsUrl?: string;
  redisUrl?: string;
}

export interface StartedHome {
  topology: Topology;
  /** One per gateway. */
  urls: string[];
  /** Its name: "localhost:8081". */
  name: string;
  operatorKey: string;
  dataFolder: string;
  processes: ServiceProcess[];
  /** One service's processes; in topology `one`, all of the home's. */
  of(service: string): ServiceProcess[];
  /** Resolves once every gateway is ready. */
  ready(timeoutMs?: number): Promise<void>;
  stop(): Promise<void>;
}

const isOwn = (databaseUrl: string) => databaseUrl === 'embedded' || databaseUrl === 'unmade';

/** Starts a whole home in its own processes on free loopback ports, and waits until it is ready. */
export async function startHomeInProcesses(options: StartOptions): Promise<StartedHome> {
  const { among, topology, replicas = 2 } = options;
  const dataFolder = mkdtempSync(join(inMemoryFolder(), 'hearth-home-'));
  const database = options.databaseUrl === undefined ? await createHomeDatabase() : undefined;
  const databaseUrl = database?.url ?? options.databaseUrl;
  const operatorKey = `hearth_op_${randomBytes(32).toString('hex')}`;
  const home = `localhost:${among?.port ?? (await freePort())}`;
  const siteAt = (port: number) => (among === undefined ? `http://127.0.0.1:${port}` : `http://${home}`);
  const shared: Record<string, string> = {
    HEARTH_BIND: '127.0.0.1',
    HEARTH_DATA: dataFolder,
    HEARTH_HOME: home,
    HEARTH_OPERATOR_KEY: operatorKey,
    HEARTH_SEAL_KEY: randomBytes(32).toString('base64url'),
    LOG_LEVEL: 'warn',
    ...(among !== undefined && { HEARTH_DEV_HOMES: among.others.join(',') }),
    ...(databaseUrl !== undefined && !isOwn(databaseUrl) && { DATABASE_URL: databaseUrl }),
  };
  if (databaseUrl === 'embedded') await copyHomePostgres(dataFolder);
  const processes = topology === 'one' ? [await startWhole()] : await startApart();
  const urls = (
    topology === 'one' ? processes : processes.filter((process) => process.service === 'gateway')
  ).map((process) => `http://127.0.0.1:${process.port}`);

  async function startWhole(): Promise<ServiceProcess> {
    const port = among?.listen ?? among?.port ?? (await freePort());
    const site = { PORT: `${port}`, HEARTH_SITE_URL: siteAt(port) };
    return spawnService({ service: 'home', port, env: { ...shared, ...site, ...options.env } });
  }

  async function startApart(): Promise<ServiceProcess[]> {
    const ports = new Map<string, number[]>();
    for (const service of serviceNames) {
      ports.set(service, await Promise.all(Array.from({ length: replicas }, freePort)));
    }
    if (among !== undefined) ports.get('gateway')![0] = among.port;
    const peers = Object.fromEntries(
      serviceNames
        .filter((service) => service !== 'gateway')
        .map((service) => [
          `PEER_${service.toUpperCase()}`,
          ports
            .get(service)!
            .map((port) => `127.0.0.1:${port}`)
            .join(','),
        ]),
    );
    const apart: Record<string, string> = {
      ...shared,
      ...peers,
      HEARTH_DRAIN_SECONDS: '0',
      HEARTH_PEER_SECRET: randomBytes(24).toString('base64url'),
      HEARTH_SITE_URL: siteAt(ports.get('gateway')![0]!),
      NATS_URL: options.natsUrl ?? process.env['HEARTH_TEST_NATS']!,
      REDIS_URL: options.redisUrl ?? process.env['HEARTH_TEST_REDIS']!,
    };
    return serviceNames.flatMap((service) =>
      ports.get(service)!.map((port) => {
        const listen = { [service === 'gateway' ? 'PORT' : 'GRPC_PORT']: `${port}` };
        return spawnService({ service, port, env: { ...apart, ...listen, ...options.env } });
      }),
    );
  }

  async function ready(timeoutMs = 150_000): Promise<void> {
    const until = Date.now() + timeoutMs;
    for (const url of urls) {
      let last = 'no answer';
      while (
        !(await fetch(`${url}/ready`).then(
          async (answer) => {
            last = await answer.text();
            return answer.ok;
          },
          () => false,
        ))
      ) {
        const dead = processes.find((process) => !process.running());
        if (dead !== undefined) throw new Error(`${dead.service} ended: ${dead.output()}`);
        if (Date.now() > until) {
          const said = processes.map((process) => `${process.service}: ${process.output()}`).join('\n');
          throw new Error(`the home is not ready: ${last}\n${said}`);
        }
        await sleep(50);
      }
    }
  }

  async function stop(): Promise<void> {
    await Promise.all(processes.map((process) => process.terminate()));
    await database?.drop();
    rmSync(dataFolder, { recursive: true, force: true });
  }

  try {
    await ready();
  } catch (error) {
    await Promise.all(processes.map((process) => process.kill()));
    throw error;
  }
  return {
    topology,
    urls,
    name: home,
    operatorKey,
    dataFolder,
    processes,
    of: (service) =>
      topology === 'one' ? processes : processes.filter((process) => process.service === service),
    ready,
    stop,
  };
}
