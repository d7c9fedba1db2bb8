import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@hearth/testkit/eventually';
import {
  createHomeDatabase,
  type ServiceProcess,
  type StartedHome,
  startHomeInProcesses,
} from '@hearth/testkit/home';
import { bringBack } from './bring-back.ts';
import { onDatabase } from './event-log.ts';

/** A home to be killed, on a Postgres that survives. */
export interface MortalHome {
  name: string;
  home: StartedHome;
  sql<T>(text: string, values?: unknown[]): Promise<T[]>;
  /** kill -9 of these services; for a one-process home, of the whole home. */
  kill(...services: string[]): Promise<void>;
  /** kill -9 once the home waits to write to each of these tables. */
  killWriting(
    services: readonly string[],
    tables: readonly string[],
    begin: () => Promise<unknown>,
  ): Promise<void>;
  /** Restarts killed processes and shortens the dead ones' leases. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the same home twice: in one process, and split, with one process per service. */
export async function startBothHomes<T>(
  make: () => Promise<{ env: Record<string, string>; stop(): Promise<unknown> } & T>,
): Promise<(MortalHome & T)[]> {
  return await Promise.all([startOne('one', make), startOne('split', make)]);
}

async function startOne<T>(
  topology: 'one' | 'split',
  make: () => Promise<{ env: Record<string, string>; stop(): Promise<unknown> } & T>,
): Promise<MortalHome & T> {
  const [made, database] = await Promise.all([make(), createHomeDatabase()]);
  const env = { HEARTH_LIMITS: 'relaxed', ...made.env };
  const home = await startHomeInProcesses({ topology, replicas: 1, databaseUrl: database.url, env });
  const dead = new Set<ServiceProcess>();
  const sql: MortalHome['sql'] = (text, values) =>
    onDatabase(database.url, async (client) => (await client.query(text, values)).rows);

  async function kill(...services: string[]): Promise<void> {
    const killed = services.flatMap((service) => home.of(service));
    for (const each of killed) dead.add(each);
    await Promise.all(killed.map((each) => each.kill()));
  }

  return {
    ...made,
    name: topology,
    home,
    sql,
    kill,
    async killWriting(services, tables, begin) {
      await killWriting(database.url, {
        tables,
        begin,
        freeze: () => {
          for (const each of new Set(services.flatMap((service) => home.of(service))))
            process.kill(each.pid(), 'SIGSTOP');
        },
        kill: () => kill(...services),
      });
    },
    async restart() {
      await bringBack(...dead);
      dead.clear();
      await home.ready();
      for (const schema of ['identity', 'groups', 'approvals', 'messages', 'delivery'])
        await sql(`update ${schema}.outbox set claimed_until = now() where published_in is null`);
      await sql(`update delivery.destinations set leased_until = now() where leased_until is not null`);
    },
    async stop() {
      await home.stop();
      await Promise.all([database.drop(), made.stop()]);
    },
  };
}

export interface KillWriting {
  tables: readonly string[];
  begin: () => Promise<unknown>;
  freeze: () => void;
  kill: () => Promise<void>;
}

/** Kills processes once they wait to write to each of these tables. */
export async function killWriting(url: string, options: KillWriting): Promise<void> {
  const { tables, begin, freeze, kill } = options;
  const waiting = `from pg_locks where not granted and relation = any($1::regclass[])`;
  await onDatabase(url, async (holder) => {
    await holder.query(`begin; lock table ${tables.join()} in exclusive mode`);
    await begin();
    await eventually(
      async () => (await holder.query(`select distinct relation ${waiting}`, [tables])).rows.length,
      (count) => count === tables.length,
    );
    // Otherwise the dead process's statements would still run once our lock is released.
    freeze();
    await holder.query(`select pg_terminate_backend(pid) ${waiting}`, [tables]);
    await kill();
  }).catch((error: Error) => {
    // The home's own Postgres may end with it, and so may our connection.
    if (!/terminat|ECONNRESET|closed/i.test(error.message)) throw error;
  });
}

/** Runs the same work in both homes at once. */
export async function inEach<H extends { name: string }>(
  homes: readonly H[],
  work: (home: H) => Promise<unknown>,
): Promise<void> {
  await Promise.all(
    homes.map((home) =>
      work(home).catch((error: Error) => {
        error.message = `${home.name}: ${error.message}`;
        throw error;
      }),
    ),
  );
}

/** Retries until the home answers anything but unavailable. */
export async function untilAnswered(
  ask: () => Promise<{ status: number; body: Record<string, unknown> }>,
): Promise<{ status: number; body: Record<string, unknown> }> {
  for (;;) {
    const reply = await ask().catch(() => null);
    if (reply !== null && reply.status !== 503 && reply.status !== 500) return reply;
    await sleep(50);
  }
}
