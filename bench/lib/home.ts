import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHomeInProcesses } from '@hearth/testkit/home';
import { arenas, heapBounds } from '../../scripts/with-node/heap-bounds.mjs';
import { type CpuByName, cpuOf, type Memory, memoryOf, type NamedPids } from './processes.ts';
import { startPostgres, startServers } from './servers.ts';

/** The processes of a home; `own-postgres` is one process with a database that the bench can reach. */
export type Layout = 'one' | 'own-postgres' | 'split' | 'split x2';

export const layouts: readonly Layout[] = ['one', 'split', 'split x2'];

export interface BenchHomeOptions {
  layout: Layout;
  /** Whether its processes write CPU profiles when they end. */
  profile?: boolean;
  /** Environment variables besides those that every home of the bench has. */
  env?: Record<string, string>;
  /** Its own port and the names of other homes that it knows; `listen` if a proxy is in front of it. */
  among?: { port: number; others: readonly string[]; listen?: number };
  /** Postgres settings besides those that every home of the bench has; not for `one`, whose Postgres is embedded. */
  postgres?: Record<string, string>;
}

export interface BenchHome {
  layout: Layout;
  /** The ports of the gateways. */
  ports: number[];
  operatorKey: string;
  /** Undefined for `one`, whose Postgres is embedded. */
  databaseUrl: string | undefined;
  /** Where the profiles are once it has stopped. */
  profileFolder: string | undefined;
  /** Its processes and its servers' processes, by name. */
  pids(): NamedPids;
  /** The CPU time spent so far, including its servers. */
  cpu(): CpuByName;
  memory(): Memory;
  stop(): Promise<void>;
}

/** Every limit is counted as in production, but never reached. */
const limits = {
  reads_a_minute: 100_000_000,
  writes_a_minute: 100_000_000,
  messages_to_strangers_a_day: 100_000_000,
  asks_a_day: 100_000_000,
  commons_posts_a_day: 100_000_000,
  ask_mails_a_day: 100_000_000,
  sign_ups_an_hour: 100_000_000,
  open_waits: 1_000,
  home_fetches_a_minute: 100_000_000,
  home_fetches_an_hour: 100_000_000,
  home_first_contacts_a_day: 100_000_000,
  home_requests_a_minute: 100_000_000,
  home_items_a_minute: 100_000_000,
  stranger_requests_a_minute: 100_000_000,
  stranger_items_a_minute: 100_000_000,
  home_items_a_day: 100_000_000,
};

interface Deps {
  databaseUrl: string;
  natsUrl?: string;
  redisUrl?: string;
  pids(): NamedPids;
  stop(): Promise<void>;
}

export async function startBenchHome({
  layout,
  profile = false,
  env = {},
  among,
  postgres,
}: BenchHomeOptions): Promise<BenchHome> {
  const around = await depsOf(layout, postgres);
  const profileFolder = profile ? mkdtempSync(join(tmpdir(), 'hearth-bench-profile-')) : undefined;
  const home = await startHomeInProcesses({
    topology: layout.startsWith('split') ? 'split' : 'one',
    replicas: layout === 'split x2' ? 2 : 1,
    ...around,
    ...(among !== undefined && { among }),
    env: {
      HEARTH_LIMITS: JSON.stringify(limits),
      LOG_LEVEL: 'error',
      // Bounded as in `npm start`; in split, every service has the gateway's bounds.
      ...arenas,
      NODE_OPTIONS: [
        heapBounds('home'),
        ...(profileFolder === undefined
          ? []
          : [`--cpu-prof --cpu-prof-dir=${profileFolder} --cpu-prof-interval=500`]),
      ].join(' '),
      ...env,
    },
  }).catch(async (error: unknown) => {
    await around.stop();
    throw error;
  });
  const pids = (): NamedPids => [
    ...around.pids(),
    ...home.processes.map((process) => ({ name: process.service, pid: process.pid() })),
  ];
  return {
    layout,
    ports: home.urls.map((url) => Number(new URL(url).port)),
    operatorKey: home.operatorKey,
    databaseUrl: around.databaseUrl === 'embedded' ? undefined : around.databaseUrl,
    profileFolder,
    pids,
    cpu: () => cpuOf(pids()),
    memory: () => memoryOf(pids()),
    async stop() {
      await home.stop();
      await around.stop();
    },
  };
}

async function depsOf(layout: Layout, settings?: Record<string, string>): Promise<Deps> {
  if (layout === 'one') return { databaseUrl: 'embedded', pids: () => [], stop: async () => {} };
  if (layout === 'own-postgres') {
    const postgres = await startPostgres(settings);
    return {
      databaseUrl: postgres.url,
      pids: () => [{ name: 'postgres', pid: postgres.pid() }],
      stop: postgres.stop,
    };
  }
  const servers = await startServers(settings);
  return { ...servers, databaseUrl: servers.postgresUrl };
}
