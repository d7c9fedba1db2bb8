import { rmSync } from 'node:fs';
import { freePort } from '../free-port.ts';
import { makeRunFolder, runFolderVariable } from '../home/home-data.ts';
import { sharedHomeVariable } from '../home/shared.ts';
import { startHomeInProcesses, topologyOf } from '../home/start.ts';
import { startNats } from '../nats.ts';
import { createTestDatabase, startTestPostgres, testPostgresVariable } from '../postgres.ts';
import { startRedis } from '../redis.ts';
import { type Stopper, stoppers } from './stoppers.ts';

interface RunConfig {
  testPathPatterns: { patterns: string[] };
}

/**
 * Starts the servers that all test files share: one Postgres, one NATS, one Redis, and one whole home for the
 * acceptance tests, in one process or with every service twice, depending on HEARTH_TEST_TOPOLOGY. Its limits are
 * lifted.
 */
export default async function globalSetup({ testPathPatterns }: RunConfig): Promise<void> {
  const start = async <T extends { stop: Stopper }>(starting: Promise<T>): Promise<T> => {
    const started = await starting;
    stoppers.push(() => started.stop());
    return started;
  };
  const [postgres, nats, redis] = await Promise.all([
    start(startTestPostgres()),
    start(startNats()),
    start(startRedis()),
  ]);
  process.env[testPostgresVariable] = postgres.url;
  const folder = makeRunFolder();
  stoppers.push(async () => rmSync(folder, { recursive: true, force: true }));
  process.env[runFolderVariable] = folder;
  process.env['HEARTH_TEST_NATS'] = nats.url;
  process.env['HEARTH_TEST_REDIS'] = redis.url;

  // Runs of named files start the home only if they include acceptance tests.
  const { patterns } = testPathPatterns;
  if (patterns.length > 0 && !patterns.some((pattern) => pattern.includes('acceptance'))) return;
  const beside = await freePort();
  // This home starts with an empty database, which all of its processes find empty.
  const { url: databaseUrl } = await createTestDatabase();
  const home = await start(
    startHomeInProcesses({
      topology: topologyOf(process.env),
      databaseUrl,
      env: { HEARTH_LIMITS: 'relaxed', HEARTH_DEV_HOMES: `localhost:${beside}` },
    }),
  );
  process.env[sharedHomeVariable] = JSON.stringify({
    topology: home.topology,
    urls: home.urls,
    operatorKey: home.operatorKey,
    ...{ name: home.name, beside },
  });
}
