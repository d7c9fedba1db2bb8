import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@hearth/testkit/free-port';
import pg from 'pg';
import type { Peer } from '../lib/peer.ts';
import { cpuOf } from '../lib/processes.ts';
import { startPostgres } from '../lib/servers.ts';

/** An XMPP server as packaged by Debian. */
export interface XmppServer {
  /** The Debian packages that it needs. */
  packages: string;
  /** A file of its package; undefined if it is not installed. */
  installed(): string | undefined;
  /** Its program with arguments, for the given folder. Writes its configuration there. */
  prepare(given: Given): { program: string; args: string[]; env: Record<string, string> };
  /** Its archive's schema, if it doesn't create that itself. */
  schema?: string;
}

interface Given {
  folder: string;
  port: number;
  postgres: { port: string; password: string };
}

/** ejabberd as packaged by Debian, without the wrapper script, which would start it as another user. */
export const ejabberd: XmppServer = {
  packages: 'ejabberd erlang-p1-pgsql',
  installed: () => globSync('/usr/lib/*/ejabberd-*/ebin/ejabberd.app')[0],
  schema: '/usr/share/ejabberd/sql/pg.sql',
  prepare({ folder, port, postgres }) {
    const file = join(folder, 'ejabberd.yml');
    writeFileSync(
      file,
      `hosts: [localhost]
loglevel: error
listen:
  - {port: ${port}, ip: "127.0.0.1", module: ejabberd_c2s, access: all, shaper: none, starttls: false}
auth_method: sql
default_db: sql
sql_type: pgsql
sql_server: "127.0.0.1"
sql_port: ${postgres.port}
sql_database: postgres
sql_username: hearth
sql_password: "${postgres.password}"
registration_timeout: infinity
modules:
  mod_mam: {default: always}
  mod_register: {access: all, ip_access: all}
  mod_stream_mgmt: {resume_timeout: 0, max_ack_queue: infinity}
`,
    );
    const literal = (text: string) => `"${text}"`;
    return {
      program: 'erl',
      args: [
        ...['-noinput', '+K', 'true', '-mnesia', 'dir', literal(join(folder, 'mnesia'))],
        ...['-ejabberd', 'config', literal(file), 'log_path', literal(join(folder, 'ejabberd.log'))],
        ...['-s', 'ejabberd'],
      ],
      env: { HOME: folder, ERL_LIBS: dirname(dirname(dirname(ejabberd.installed()!))) },
    };
  },
};

export const prosody: XmppServer = {
  packages: 'prosody lua-dbi-postgresql',
  installed: () => globSync('/usr/bin/prosody')[0],
  prepare({ folder, port, postgres }) {
    const file = join(folder, 'prosody.cfg.lua');
    writeFileSync(
      file,
      `run_as_root = true
daemonize = false
data_path = "${folder}"
interfaces = { "127.0.0.1" }
c2s_ports = { ${port} }
modules_enabled = { "roster", "saslauth", "register_ibr", "mam", "smacks" }
modules_disabled = { "s2s", "offline" }
allow_registration = true
c2s_require_encryption = false
allow_unencrypted_plain_auth = true
authentication = "internal_plain"
storage = "sql"
sql = { driver = "PostgreSQL", host = "127.0.0.1", port = ${postgres.port}, database = "postgres", username = "hearth", password = "${postgres.password}" }
default_archive_policy = true
log = { error = "${join(folder, 'prosody.log')}" }
VirtualHost "localhost"
`,
    );
    return { program: 'prosody', args: ['--config', file, '-F'], env: { HOME: folder } };
  },
};

/** Starts it with a Postgres like the home's; every message is archived before it is acknowledged. */
export async function startXmpp(name: string, server: XmppServer): Promise<Peer> {
  const folder = mkdtempSync(join(tmpdir(), `hearth-bench-${name}-`));
  const postgres = await startPostgres();
  const { port: postgresPort, password } = new URL(postgres.url);
  if (server.schema !== undefined) await run(postgres.url, readFileSync(server.schema, 'utf8'));
  const port = await freePort();
  const { program, args, env } = server.prepare({ folder, port, postgres: { port: postgresPort, password } });
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await answers(port);
  const pids = [
    { name, pid: child.pid! },
    { name: 'postgres', pid: postgres.pid() },
  ];
  return {
    ports: [port],
    cpu: () => cpuOf(pids),
    async stop() {
      child.kill('SIGKILL');
      await ended;
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function run(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statements);
  await client.end();
}

const startsWithinMs = 30_000;

async function answers(port: number): Promise<void> {
  for (const until = performance.now() + startsWithinMs; performance.now() < until; await sleep(100)) {
    const socket = connect({ port, host: '127.0.0.1' });
    const [outcome] = await Promise.race([
      once(socket, 'connect').then(() => ['connected']),
      once(socket, 'error'),
    ]).catch((error: unknown) => [error]);
    socket.destroy();
    if (outcome === 'connected') return;
  }
  throw new Error(`nothing answered on port ${port} within ${startsWithinMs / 1_000} s`);
}
