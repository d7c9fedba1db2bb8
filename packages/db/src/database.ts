import type { Clock } from '@hearth/clock';
import { internal } from '@hearth/errors';
import { type Random, systemRandom } from '@hearth/ids';
import { runUntraced } from '@hearth/telemetry';
import type pg from 'pg';
import { openConnections } from './connections.ts';
import { isWrite, readsAndWrites, readsOnly } from './reads.ts';
import { createSend, type SlowStatement } from './send.ts';
import { runTransaction, withRetries } from './transaction.ts';
import { type Db, type Log, type Statement, silentLog, type Tx } from './types.ts';

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/name`, with libpq's parameters such as `?sslmode=verify-full`. */
  url: string;
  clock: Clock;
  /** For the jitter before retries. */
  random?: Random;
  /** The name shown in pg_stat_activity; default `hearth`. */
  applicationName?: string;
  /** Appended to the name, to tell this process's connections from other processes'. */
  instance?: string;
  /** The most connections at once (1 to 100; default 10), opened on demand and closed after 30 s idle. */
  maxConnections?: number;
  /** The most tasks that wait for a connection; further tasks are `unavailable` at once (default 1,000). */
  maxWaiting?: number;
  /** How long a task waits for a new or free connection, in ms (default 5,000). */
  connectTimeoutMs?: number;
  /** The most time for a statement, and for an idle transaction, in ms (default 10,000). */
  statementTimeoutMs?: number;
  /** The duration in ms from which a statement is reported to `onSlow` (default 250). */
  slowAfterMs?: number;
  onSlow?: (slow: SlowStatement) => void;
  log?: Log;
}

/** A Postgres database. Reconnects after any loss of its connections, as soon as the server can be reached. */
export interface Database {
  /** For reads: each statement runs on its own, on any free connection. */
  readonly db: Db;
  /**
   * Runs `work` between BEGIN and COMMIT; rolls back if it throws, and throws the same error. After a deadlock the whole work runs
   * again, so its only effects must be through its tx: no calls, no publishing. `unavailable` from a lost connection
   * leaves open whether the commit happened.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs `work`, which sends exactly one statement; that statement is the whole transaction: one round trip instead of
   * three. For hot paths that write everything in one statement; a second statement is refused.
   */
  statement<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Calls `listener` after each transaction of this process that wrote anything. */
  onWrite(listener: () => void): void;
  /** For readiness: resolves if the database answers, otherwise throws `unavailable`. */
  check(): Promise<void>;
  connections(): { total: number; idle: number; waiting: number };
  /** Refuses new work, waits for work in progress, and closes the connections. */
  close(): Promise<void>;
}

/** Connects on the first statement only, so a home may start before its database. */
export function openDatabase(options: DatabaseOptions): Database {
  const { clock, random = systemRandom, log = silentLog, slowAfterMs = 250, onSlow } = options;
  const connections = openConnections({
    url: options.url,
    log,
    applicationName: options.applicationName ?? 'hearth',
    instance: options.instance,
    maxConnections: options.maxConnections ?? 10,
    maxWaiting: options.maxWaiting ?? 1_000,
    connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
    statementTimeoutMs: options.statementTimeoutMs ?? 10_000,
  });
  const send = createSend({ clock, slowAfterMs, onSlow });

  async function runOnce(statement: Statement) {
    const connection = await connections.acquire();
    let failure: unknown;
    try {
      return await send(connection, statement);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      connections.release(connection, failure);
    }
  }

  const run = (statement: Statement) => withRetries(random, () => runOnce(statement));
  const db = readsOnly(run);
  const listeners: (() => void)[] = [];

  /** Runs work with its `send` function, and calls the listeners if it wrote anything. */
  async function noteWrites<T, Send extends (...args: never[]) => Promise<pg.QueryResult>>(
    sending: Send,
    statementOf: (...args: Parameters<Send>) => Statement,
    work: (send: Send) => Promise<T>,
  ): Promise<T> {
    let wrote = false;
    const sendNoting = async (...args: Parameters<Send>) => {
      const result = await sending(...args);
      wrote ||= isWrite(statementOf(...args), result);
      return result;
    };
    const done = await work(sendNoting as Send);
    if (wrote) for (const listener of listeners) listener();
    return done;
  }

  return {
    db,
    transaction: (work) =>
      withRetries(random, () =>
        noteWrites(
          send,
          (_connection, statement) => statement,
          (send) => runTransaction({ connections, send }, work),
        ),
      ),
    statement: (work) =>
      noteWrites(
        run,
        (statement) => statement,
        (run) => work(readsAndWrites(onlyOnce(run))),
      ),
    onWrite: (listener) => void listeners.push(listener),
    async check() {
      await runUntraced(() => db.query({ text: 'select 1' }));
    },
    connections: connections.counts,
    close: connections.close,
  };
}

function onlyOnce<Result>(run: (statement: Statement) => Promise<Result>) {
  let used = false;
  return async (statement: Statement): Promise<Result> => {
    if (used)
      throw internal(
        'Database.statement is for one statement; two that belong together need Database.transaction',
      );
    used = true;
    return await run(statement);
  };
}
