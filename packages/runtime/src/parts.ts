import { join } from 'node:path';
import { type Bus, createLocalBus } from '@hearth/bus';
import { type Cache, createMemoryCache } from '@hearth/cache';
import type { Clock } from '@hearth/clock';
import type { HomeConfig } from '@hearth/config';
import { type Database, openDatabase, startEmbeddedPostgres } from '@hearth/db';
import type { Random } from '@hearth/ids';
import type { Sealer } from '@hearth/sealing';
import type { Logger } from '@hearth/telemetry';
import type { HomeSecrets } from './data-folder.ts';
import { checkName } from './keep-name.ts';
import { migrateShared } from './migrate-home.ts';
import { openSealer } from './open-sealer.ts';
import type { Releases } from './releases.ts';

export interface SharedParts {
  databaseUrl: string;
  database: Database;
  bus: Bus;
  cache: Cache;
  sealer: Sealer;
}

interface Deps {
  config: HomeConfig;
  name: string;
  secrets: HomeSecrets;
  clock: Clock;
  random: Random;
  log: Logger;
  releases: Releases;
  /** Ends the wait for a server that does not answer yet. */
  signal: AbortSignal | undefined;
}

/** Opens Postgres, NATS and Redis if configured, otherwise the embedded defaults; clients are loaded only if needed. */
export async function openParts(deps: Deps): Promise<SharedParts> {
  const databaseUrl = await openPostgres(deps);
  const { clock, random, log, releases, name, signal } = deps;
  const database = openDatabase({
    url: databaseUrl,
    clock,
    random,
    log,
    applicationName: `hearth ${name}`,
    instance: Buffer.from(random.bytes(6)).toString('hex'),
    onSlow: (slow) => log.warn(slow, 'a slow statement'),
  });
  releases.push('database', () => database.close());
  await migrateShared({ url: databaseUrl, clock, log, signal });
  const sealer = await openSealer(database, deps.secrets, random);
  await checkName(database, deps.config.home);
  // Proves on a shared NATS server what this home sent.
  const bus = await openBus(deps, sealer.derive('bus', deps.config.home));
  releases.push('bus', () => bus.close());
  const cache = await openCache(deps);
  releases.push('cache', () => cache.close());
  return { databaseUrl, database, bus, cache, sealer };
}

async function openPostgres({ config, log, random, releases }: Deps): Promise<string> {
  if (config.databaseUrl !== undefined) return config.databaseUrl.reveal();
  const postgres = await startEmbeddedPostgres({ folder: join(config.dataFolder, 'postgres'), log, random });
  releases.push('embedded Postgres', () => postgres.stop());
  return postgres.url;
}

async function openBus({ config, clock, log, name, signal }: Deps, key: Uint8Array): Promise<Bus> {
  if (config.natsUrl === undefined) return createLocalBus({ log });
  const { createNatsBus, homePrefix } = await import('@hearth/bus/nats');
  const url = config.natsUrl.reveal();
  return createNatsBus({ url, prefix: homePrefix(config.home), key, clock, log, name, signal });
}

/** Many homes may share one Redis. */
export function keyPrefix(config: HomeConfig): string {
  return `hearth:${config.home}:`;
}

async function openCache({ config, clock, log }: Deps): Promise<Cache> {
  if (config.redisUrl === undefined) return createMemoryCache({ clock, maxEntries: 50_000 });
  const { createRedisCache } = await import('@hearth/cache/redis');
  return createRedisCache({ url: config.redisUrl.reveal(), prefix: keyPrefix(config), log });
}
