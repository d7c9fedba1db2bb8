import { internal } from '@hearth/errors';
import type pg from 'pg';

interface ServerFacts {
  version: number;
  version_text: string;
  encoding: string;
  replica: boolean;
  commits: string;
  triggers: string;
  transaction_timeout: string | null;
  role: string;
  database: string;
}

const oldestVersion = 150_000;

/**
 * Checks that the home can work with this server, before anything is created on it.
 *
 * @throws internal, in one sentence with the remedy, if it can't
 */
export async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<ServerFacts>(`select
    current_setting('server_version_num')::int as version, current_setting('server_version') as version_text,
    current_setting('server_encoding') as encoding, pg_is_in_recovery() as replica,
    current_setting('synchronous_commit') as commits, current_setting('session_replication_role') as triggers,
    nullif(current_setting('transaction_timeout', true), '0') as transaction_timeout,
    quote_ident(current_user) as role, quote_ident(current_database()) as database`);
  const problem = problemOf(rows[0]!);
  if (problem !== undefined) throw internal(`DATABASE_URL: ${problem}`);
}

function problemOf(facts: ServerFacts): string | undefined {
  const { version, version_text, encoding, replica, commits, triggers, transaction_timeout, role, database } =
    facts;
  if (version < oldestVersion) return `this is Postgres ${version_text}; the home needs 15 or newer`;
  if (replica) return 'this Postgres is a read-only replica; give the address of the primary';
  if (encoding !== 'UTF8') {
    return (
      `the database ${database} is encoded as ${encoding}, which can't hold every text; make another one: ` +
      `create database ${database}_utf8 encoding 'UTF8' template template0`
    );
  }
  if (commits === 'off') {
    return (
      'synchronous_commit is off, so what the home has acknowledged could be lost; turn it on: ' +
      `alter role ${role} in database ${database} set synchronous_commit = on`
    );
  }
  if (triggers !== 'origin') {
    return (
      `session_replication_role is ${triggers}, so foreign keys are not checked; set it back: ` +
      `alter role ${role} in database ${database} set session_replication_role = origin`
    );
  }
  if (transaction_timeout !== null) {
    return (
      `transaction_timeout is ${transaction_timeout}, which would cut long work short; take it away: ` +
      `alter role ${role} in database ${database} set transaction_timeout = 0`
    );
  }
  return undefined;
}

/**
 * Returns the mistake in the address that a failed connection attempt reveals, if waiting does not help.
 *
 * @returns one sentence with the remedy, or undefined
 */
export function addressProblem(error: unknown): string | undefined {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  if (/does not support SSL/.test(message)) {
    return 'DATABASE_URL asks for TLS, and this Postgres offers none; turn on ssl there, or give sslmode=disable';
  }
  if (/CERT|_TLS_|SELF_SIGNED|UNABLE_TO_/.test(code)) {
    return (
      "DATABASE_URL asks for a TLS certificate that this machine trusts, and Postgres shows another; give the authority's " +
      'certificate as sslrootcert, or sslmode=no-verify on a network that you trust'
    );
  }
  if (code === '08P01' && /startup parameter/.test(message)) {
    return 'DATABASE_URL leads to a pooler such as PgBouncer; give the address of Postgres itself';
  }
  return undefined;
}
