import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@hearth/db';
import { startNats } from '@hearth/testkit/nats';
import { startRedis } from '@hearth/testkit/redis';
import type { NamedPids } from './processes.ts';

export interface BenchPostgres {
  url: string;
  pid(): number;
  stop(): Promise<void>;
}

/** The home's Postgres, which syncs every commit to disk before acknowledging it. */
export async function startPostgres(settings: Record<string, string> = {}): Promise<BenchPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-bench-postgres-'));
  const server = await startEmbeddedPostgres({ folder, settings: { max_connections: '300', ...settings } });
  return {
    url: server.url,
    pid: () => server.pid,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The servers that a home of several processes needs. */
export interface Servers {
  postgresUrl: string;
  natsUrl: string;
  redisUrl: string;
  pids(): NamedPids;
  stop(): Promise<void>;
}

/** @param settings for Postgres, besides its own */
export async function startServers(settings?: Record<string, string>): Promise<Servers> {
  const [postgres, nats, redis] = await Promise.all([startPostgres(settings), startNats(), startRedis()]);
  return {
    postgresUrl: postgres.url,
    natsUrl: nats.url,
    redisUrl: redis.url,
    pids: () => [
      { name: 'postgres', pid: postgres.pid() },
      { name: 'nats-server', pid: nats.pid() },
      { name: 'redis-server', pid: redis.pid() },
    ],
    async stop() {
      await Promise.all([postgres.stop(), nats.stop(), redis.stop()]);
    },
  };
}
