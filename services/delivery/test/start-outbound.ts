import { fileURLToPath } from 'node:url';
import { createLocalBus } from '@hearth/bus';
import { systemClock } from '@hearth/clock';
import { migrate, openDatabase, type Statement, silentLog } from '@hearth/db';
import { type BulkheadOptions, createEngine, type Engine } from '@hearth/outbound';
import { createLogger } from '@hearth/telemetry';
import { ids } from '@hearth/testkit';
import { createTestDatabase } from '@hearth/testkit/postgres';
import { touchSql } from '../src/shared/db/destinations.ts';
import type { DueQuestion, OutboundKind, Outcome, Send } from '../src/shared/domain/outbound.ts';

export { ids };

export interface TestSend extends Send {
  process: string;
}

/** How an address answers a send. */
export type Answer = (send: TestSend, signal: AbortSignal) => Promise<Partial<Outcome<TestSend>> | null>;

export type TestOutbound = Awaited<ReturnType<typeof startOutbound>>;

/** The engine with a test kind, on a real and otherwise empty database. */
export async function startOutbound() {
  const databaseFor = await createTestDatabase();
  const schema = 'delivery';
  const folder = fileURLToPath(new URL('../migrations/', import.meta.url));
  await migrate({ url: databaseFor.url, schema, folder, clock: systemClock, log: silentLog });
  const database = openDatabase({ url: databaseFor.url, clock: systemClock });
  const run = (statement: Statement) => database.statement((tx) => tx.execute(statement));
  await run({
    text: `create table delivery.test_sends (id uuid primary key, destination uuid not null, order_key text,
        attempts integer not null default 0, due_at timestamptz, number bigserial)`,
  });
  const bus = createLocalBus({ log: createLogger({ level: 'error', service: 'test' }) });
  /** The attempts, in the order in which they started. */
  const begun: { process: string; destination: string; id: string; at: number }[] = [];
  /** The most concurrent attempts, by destination. */
  const mostAtOnce = new Map<string, number>();
  const atOnce = new Map<string, number>();
  /** Replaces parts of the kind's usual work. */
  const faults: {
    due?: () => void;
    hides?: boolean;
    settle?: () => void;
    /** Delays the result of an engine's statement. */
    answered?: (result: unknown) => Promise<void> | undefined;
  } = {};
  const engines: Engine[] = [];
  const engineDatabase: typeof database = {
    ...database,
    async statement(work) {
      const result = await database.statement(work);
      await faults.answered?.(result);
      return result;
    },
  };

  async function write(text: string, values: unknown[]): Promise<void> {
    faults.settle?.();
    await database.statement((tx) => tx.execute({ text, values }));
  }

  function kindOf(process: string, answer: Answer, passing: boolean): OutboundKind<TestSend> {
    return {
      passing,
      number: 2,
      name: 'subscription',
      parallel: 4,
      async due(now, questions) {
        faults.due?.();
        if (faults.hides) return [];
        const rows = await database.db.query<TestSend>({
          text: `select s.id, q.destination, s.order_key as "orderKey", s.attempts
            from jsonb_to_recordset($2::jsonb) as q (destination uuid, "limit" integer, "inHand" uuid[], "busyKeys" text[]),
              lateral (select * from delivery.test_sends s where s.destination = q.destination and s.due_at <= $1
                and s.id <> all (q."inHand") and (s.order_key is null or s.order_key <> all (q."busyKeys"))
                order by s.number limit q."limit") as s
            order by s.number`,
          values: [now, JSON.stringify(questions satisfies readonly DueQuestion[])],
        });
        return rows.map((row) => ({ ...row, process }));
      },
      async attempt(send, signal) {
        const { destination, id } = send;
        begun.push({ process, destination, id, at: performance.now() });
        const now = (atOnce.get(destination) ?? 0) + 1;
        atOnce.set(destination, now);
        mostAtOnce.set(destination, Math.max(now, mostAtOnce.get(destination) ?? 0));
        const answered = await answer(send, signal);
        atOnce.set(destination, atOnce.get(destination)! - 1);
        if (answered === null) return null;
        const usual = { at: new Date(), ms: 1, status: 200, error: null, retryAfterMs: null };
        return { send, ...usual, ...answered };
      },
      prepare: async (_, queued) => (queued as TestSend[]).map((row) => ({ ...row, process })),
      settle(outcomes) {
        const values = [JSON.stringify(outcomes.map(({ send, error }) => ({ id: send.id, error })))];
        const text = (given: string) => `
          update delivery.test_sends s set attempts = s.attempts + 1,
            due_at = case when o.error is null then null else now() + interval '1 hour' end
          from jsonb_to_recordset(${given}::jsonb) as o (id uuid, error text) where s.id = o.id`;
        if (!passing) return write(text('$1'), values);
        return {
          sql: `settled as (${text('$8')} returning s.id, s.destination, s.due_at)`,
          values,
          nextDueSql: `
            select min(s.due_at) from (
              select due_at from settled where destination = d.id
              union all
              select due_at from delivery.test_sends
              where destination = d.id and id not in (select id from settled)) s`,
        };
      },
      nextDueSql: 'select min(s.due_at) from delivery.test_sends s where s.destination = d.id',
    };
  }

  const count = async (where: string) =>
    (
      await database.db.one<{ count: number }>({
        text: `select count(*) from delivery.test_sends where ${where}`,
      })
    ).count;

  return {
    database,
    run,
    begun,
    mostAtOnce,
    faults,
    /** A process of the home: an engine with its own lease. */
    start(process: string, answer: Answer, bounds?: BulkheadOptions, passing = false): Engine {
      const log = createLogger({ level: 'error', service: process });
      const engine = createEngine(
        { clock: systemClock, database: engineDatabase, bus, ids, log, schema },
        bounds,
      );
      engine.add(kindOf(process, answer, passing));
      engines.push(engine);
      return engine;
    },
    /** Gives destinations this many sends each, and touches them; returns the destinations. */
    async give(
      count: number,
      options: { destinations?: string[]; orderKey?: string; dueAt?: Date } = {},
    ): Promise<string[]> {
      const { destinations = [ids.uuid()], orderKey, dueAt = new Date() } = options;
      await database.statement((tx) =>
        tx.execute({
          text: `
            with sends as (
              insert into delivery.test_sends (id, destination, order_key, due_at)
              select gen_random_uuid(), destination, $3, $4
              from generate_series(1, $2) as n, unnest($1::uuid[]) with ordinality as given (destination, place)
              order by n, place
              returning destination)
            ${touchSql('select 2::smallint, destination, $4::timestamptz from sends group by destination order by destination')}`,
          values: [destinations, count, orderKey ?? null, dueAt],
        }),
      );
      return destinations;
    },
    /** Queues a send through the engine; `heard` is whether its process learns of it. */
    queue: (engine: Engine, destination: string, heard = true) =>
      engine.queue(2, 1, async (lease) => {
        const rows = await database.statement((tx) =>
          tx.query<{ id: string; taken: boolean }>({
            text: `
              with sends as (
                insert into delivery.test_sends (id, destination, due_at)
                values (gen_random_uuid(), $1, now()) returning id, destination),
              touched as (${touchSql('select 2::smallint, destination, now() from sends', { id: '$2', ms: '$3' })})
              select sends.id, taken from sends, touched`,
            values: [destination, lease?.id, lease?.ms],
          }),
        );
        if (!heard) throw new Error('the connection was lost');
        return rows.map(({ id, taken }) => {
          const sends = [{ id, destination, orderKey: null, attempts: 0 }];
          return { destination, taken, sends };
        });
      }),
    settled: () => count('attempts > 0 and due_at is null'),
    waiting: () => count('due_at is not null'),
    async stop() {
      await Promise.all(engines.map((engine) => engine.stop()));
      await bus.close();
      await database.close();
      await databaseFor.drop();
    },
  };
}
