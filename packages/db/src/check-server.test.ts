import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { addressProblem } from './check-server.ts';
import { migrate } from './migrate/migrate.ts';
import { sql } from './sql.ts';
import { type OwnDatabase, ownDatabase, testClock } from './test-support.ts';
import { silentLog } from './types.ts';

let own: OwnDatabase;
let name: string;
let folder: string;

beforeAll(async () => {
  own = await ownDatabase();
  name = new URL(own.url).pathname.slice(1);
  folder = mkdtempSync(join(tmpdir(), 'hearth-check-'));
  writeFileSync(join(folder, '0001-things.sql'), 'create table things (id integer);');
});
beforeEach(() => asAdministrator(`alter database ${name} reset all`, withoutSettings()));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await own.remove();
});

async function asAdministrator(text: string, url = own.url): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

const start = (url = own.url, checksServer = true) =>
  migrate({
    url,
    schema: 'checked',
    folder,
    clock: testClock(),
    log: silentLog,
    waitMs: 60_000,
    checksServer,
  });

test('the server is checked once per start, not per schema', async () => {
  await asAdministrator(`alter database ${name} set session_replication_role = replica`);
  await expect(start(own.url, false)).resolves.toBeUndefined();
});

test.each([
  [
    'synchronous_commit = off',
    /synchronous_commit is off.*alter role \w+ in database \w+ set synchronous_commit = on/,
  ],
  ['session_replication_role = replica', /foreign keys are not checked/],
  ['transaction_timeout = 5000', /transaction_timeout is 5s/],
])(
  '%s, which the home cannot work with, is reported at the start with the remedy',
  async (setting, words) => {
    await asAdministrator(`alter database ${name} set ${setting}`);
    await expect(start()).rejects.toMatchObject({ kind: 'internal', message: expect.stringMatching(words) });
  },
);

test('a database of another encoding is refused with the statement that creates a correct one', async () => {
  const latin = `${name}_latin`;
  await asAdministrator(`create database ${latin} encoding 'LATIN1' locale 'C' template template0`);
  const url = new URL(own.url);
  url.pathname = `/${latin}`;
  try {
    await expect(start(url.href)).rejects.toThrow(/encoded as LATIN1.*encoding 'UTF8' template template0/);
  } finally {
    await asAdministrator(`drop database ${latin}`);
  }
});

test('missing TLS on the server is reported at once', async () => {
  const url = new URL(own.url);
  url.searchParams.delete('host');
  url.searchParams.set('sslmode', 'require');
  await expect(start(url.href)).rejects.toThrow(
    /asks for TLS, and this Postgres offers none.*sslmode=disable/,
  );
});

test('a pooler and an untrusted certificate are distinguished from a server that is away', () => {
  const failed = (code: string, message: string) => Object.assign(new Error(message), { code });
  expect(addressProblem(failed('08P01', 'unsupported startup parameter in options: datestyle'))).toMatch(
    /pooler/,
  );
  expect(addressProblem(failed('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'))).toMatch(
    /sslrootcert/,
  );
  expect(addressProblem(failed('ECONNREFUSED', 'connect ECONNREFUSED'))).toBeUndefined();
});

test('settings that the home makes on its own connections are not checked', async () => {
  const changed = [
    "timezone = 'Pacific/Chatham'",
    "datestyle = 'German, DMY'",
    "intervalstyle = 'sql_standard'",
    "bytea_output = 'escape'",
    "client_encoding = 'LATIN1'",
    'search_path = nowhere',
    'standard_conforming_strings = off',
    'extra_float_digits = 0',
    'transform_null_equals = on',
    'array_nulls = off',
    "default_transaction_isolation = 'serializable'",
    'default_transaction_read_only = on',
    'default_transaction_deferrable = on',
    'lock_timeout = 1',
    'statement_timeout = 1',
    'idle_in_transaction_session_timeout = 1',
  ];
  for (const setting of changed)
    await asAdministrator(`alter database ${name} set ${setting}`, withoutSettings());
  await start();
  const database = own.open();
  const at = new Date('2030-07-01T12:34:56.789Z');
  const bytes = Buffer.from([0, 255, 92, 39]);
  await database.transaction(async (tx) => {
    await tx.execute(
      sql`create table kept (at timestamptz, bytes bytea, number float8, text text, nothing text[])`,
    );
    await tx.execute(
      sql`insert into kept values (${at}, ${bytes}, ${0.1 + 0.2}, ${'Zürich \\ 食べる'}, array[null])`,
    );
  });
  const row = await database.db.query(sql`select *, current_setting('transaction_isolation') as isolation,
    at::text as shown, '\\n' = E'\\\\n' as strings from kept where nothing[1] is null and number is not null`);
  expect(row).toEqual([
    {
      at,
      bytes,
      number: 0.1 + 0.2,
      text: 'Zürich \\ 食べる',
      nothing: [null],
      isolation: 'read committed',
      shown: '2030-07-01 12:34:56.789+00',
      strings: true,
    },
  ]);
});

/** The URL with the changed settings reset, among them a statement timeout of 1 ms. */
function withoutSettings(): string {
  const url = new URL(own.url);
  url.searchParams.set(
    'options',
    '-c statement_timeout=0 -c lock_timeout=0 -c default_transaction_read_only=off -c idle_in_transaction_session_timeout=0',
  );
  return url.href;
}
