import { type HearthError, unavailable } from '@hearth/errors';
import { recordPoolWait } from '@hearth/telemetry';
import pg from 'pg';
import { asDatabaseError, classify, losesConnection } from './errors.ts';
import { forgottenAfterMs, withSessionSettings } from './sessions.ts';
import type { Log } from './types.ts';
import { valueTypes } from './value-types.ts';

export interface ConnectionsOptions {
  url: string;
  applicationName: string;
  instance?: string | undefined;
  maxConnections: number;
  maxWaiting: number;
  connectTimeoutMs: number;
  statementTimeoutMs: number;
  log: Log;
}

export type Connection = pg.PoolClient;

/** A bounded connection pool: each connection is lent to one task at a time, and returned or dropped. */
export interface Connections {
  /** Waits for a free connection, at most `connectTimeoutMs`; `unavailable` if there is none. */
  acquire(): Promise<Connection>;
  /**
   * Takes a connection back; `error` is the error that the work ended with, and decides whether the connection is kept.
   */
  release(connection: Connection, error?: unknown): void;
  counts(): { total: number; idle: number; waiting: number };
  /** Resolves once every connection was returned and closed. */
  close(): Promise<void>;
}

/** Time that the home waits beyond Postgres's own timeout before it considers a connection dead. */
const networkGraceMs = 3_000;

/**
 * On SSDs and in memory, random reads cost little more than sequential ones. Postgres assumes four times as much by
 * default, and then scans tables of up to some thousand rows to find one row.
 */
const planning = { random_page_cost: '1.1' };

export function openConnections(options: ConnectionsOptions): Connections {
  const { applicationName, log, maxWaiting } = options;
  const pool = new pg.Pool(poolConfig(options));

  // Without a listener, an idle connection that dies would end the process.
  pool.on('connect', (connection) => connection.on('error', () => {}));
  pool.on('error', (error) => {
    // A closing pool does not wait until Postgres has closed every connection, as Postgres may stop first.
    if (!pool.ending) log.warn({ reason: error.message }, 'a connection to the database was lost');
  });

  return {
    async acquire() {
      // The pool counts callers as waiting even if a free connection is ready for them.
      if (pool.waitingCount - pool.idleCount >= maxWaiting) {
        throw unavailable("the home's database has more to do than it can; try again in a moment");
      }
      const started = performance.now();
      try {
        const connection = await pool.connect();
        recordPoolWait({ pool: applicationName, seconds: (performance.now() - started) / 1_000 });
        return connection;
      } catch (error) {
        throw asConnectError(error);
      }
    },
    release(connection, error) {
      connection.release(error !== undefined && losesConnection(error));
    },
    counts: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => (pool.ending ? Promise.resolve() : pool.end()),
  };
}

function asConnectError(error: unknown): HearthError {
  const known = classify(error) === 'statement' ? null : asDatabaseError(error);
  return known ?? unavailable("the home's database cannot be reached just now; try again in a moment", error);
}

function poolConfig(options: ConnectionsOptions): pg.PoolConfig {
  return {
    connectionString: withSessionSettings(options.url, planning),
    application_name: connectionName(options),
    max: options.maxConnections,
    // Well before Postgres's own timeout.
    idleTimeoutMillis: forgottenAfterMs / 2,
    // Connections are renewed, so that a home follows its database to another machine.
    maxLifetimeSeconds: 1_800,
    connectionTimeoutMillis: options.connectTimeoutMs,
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: options.statementTimeoutMs,
    query_timeout: options.statementTimeoutMs + networkGraceMs,
    keepAlive: true,
    // Pipelined: BEGIN costs no round trip.
    pipeline: true,
    types: valueTypes,
  };
}

/** Postgres truncates longer names. */
const longestName = 63;

function connectionName({ applicationName, instance }: ConnectionsOptions): string {
  if (instance === undefined) return applicationName;
  return `${applicationName.slice(0, longestName - instance.length - 1)} ${instance}`;
}
