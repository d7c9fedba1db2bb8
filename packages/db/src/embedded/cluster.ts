import { spawn } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { internal } from '@hearth/errors';
import type { Random } from '@hearth/ids';
import { type Account, chooseAccount } from './account.ts';
import type { Binaries } from './binaries.ts';
import { isReachable } from './reachable.ts';

/** The files of a Postgres server: the cluster (its data), the password, and the log. */
export interface Cluster {
  /** The folder that holds PG_VERSION. */
  folder: string;
  account: Account | null;
  /** The password of the superuser `hearth`; stored next to the cluster, readable by the home's own user only. */
  password: string;
  logFile: string;
}

export const clusterFolder = (folder: string): string => join(folder, 'cluster');

/** Creates the cluster at the first start; later checks that this Postgres release can run it. */
export async function prepareCluster(folder: string, binaries: Binaries, random: Random): Promise<Cluster> {
  const cluster = clusterFolder(folder);
  const account = chooseAccount(cluster);
  const isNew = !existsSync(cluster);
  if (!isNew) checkExisting(cluster, binaries);
  const password = keepPassword(folder, isNew, random);
  if (isNew) await create(cluster, binaries, account, password);
  return { folder: cluster, account, password, logFile: join(folder, 'postgres.log') };
}

function checkExisting(cluster: string, binaries: Binaries): void {
  const owner = statSync(cluster).uid;
  const self = process.geteuid?.();
  if (self !== undefined && self !== 0 && owner !== self) {
    throw internal(
      `${cluster} belongs to the user with number ${owner}; start the home as that user, or give the folder to this one (chown -R)`,
    );
  }
  const versionFile = join(cluster, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    throw internal(
      `${cluster} is there and holds no Postgres data; move it away, or give the home another HEARTH_DATA`,
    );
  }
  const major = readFileSync(versionFile, 'utf8').trim();
  if (major !== binaries.major) {
    throw internal(
      `the data in ${cluster} was written by Postgres ${major} and the home now brings Postgres ${binaries.major}; dump it with the earlier version of the home and restore it into a new folder (docs/operators/backup.md)`,
    );
  }
}

function keepPassword(folder: string, isNew: boolean, random: Random): string {
  const file = join(folder, 'password');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  if (!isNew)
    throw internal(
      `${file} is missing and holds the password of the home's own Postgres; put it back from your backup`,
    );
  const password = Buffer.from(random.bytes(24)).toString('base64url');
  writeFileSync(file, password, { mode: 0o600, flag: 'wx' });
  return password;
}

/** Created under a temporary name and renamed once complete, so that an interrupted start leaves no partial cluster. */
async function create(
  cluster: string,
  binaries: Binaries,
  account: Account | null,
  password: string,
): Promise<void> {
  removeUnfinished(cluster);
  const unfinished = mkdtempSync(`${cluster}.new-`);
  giveTo(unfinished, account);
  const place = openPlace(unfinished, account);
  try {
    writeFileSync(join(unfinished, 'password'), password, { mode: 0o600, flag: 'wx' });
    giveTo(join(unfinished, 'password'), account);
    // initdb needs an empty folder, so the data goes one level down.
    await runInitdb(binaries, account, place);
    rmSync(join(unfinished, 'password'));
    renameSync(join(unfinished, 'data'), cluster);
  } finally {
    place.close();
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function removeUnfinished(cluster: string): void {
  for (const name of readdirSync(dirname(cluster))) {
    if (name.startsWith(`${basename(cluster)}.new-`))
      rmSync(join(dirname(cluster), name), { recursive: true, force: true });
  }
}

function giveTo(path: string, account: Account | null): void {
  if (account === null) return;
  try {
    chownSync(path, account.uid, account.gid);
  } catch (error) {
    throw internal(
      `Postgres cannot run as root, and ${path} cannot be given to another user: ${(error as Error).message}; start the home as a user other than root, or set DATABASE_URL`,
      error,
    );
  }
}

/** A folder, as a child process can name it. */
export interface OpenFolder {
  path: string;
  /** The file descriptor passed to the child as 3, if the path refers to it. */
  descriptor: number | 'ignore';
  close(): void;
}

/**
 * The account cannot traverse a closed parent folder (such as /root). On Linux the child gets the folder as an open
 * descriptor instead, which /proc resolves directly.
 */
export function openPlace(folder: string, account: Account | null): OpenFolder {
  if (isReachable(folder, account)) return { path: folder, descriptor: 'ignore', close: () => {} };
  if (process.platform !== 'linux') {
    throw internal(
      `Postgres runs as the user with number ${account?.uid}, who cannot enter the folders above ${folder}; give the home a HEARTH_DATA elsewhere, or start it as a user other than root`,
    );
  }
  const descriptor = openSync(folder, 'r');
  return { path: '/proc/self/fd/3', descriptor, close: () => closeSync(descriptor) };
}

function runInitdb(binaries: Binaries, account: Account | null, place: OpenFolder): Promise<void> {
  const args = [
    `--pgdata=${place.path}/data`,
    `--pwfile=${place.path}/password`,
    '--username=hearth',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
    // A server killed during startup would leave its shared memory behind (as in settings.ts).
    '--set=dynamic_shared_memory_type=mmap',
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(binaries.initdb, args, {
      ...account,
      cwd: '/',
      env: {},
      stdio: ['ignore', 'pipe', 'pipe', place.descriptor],
    });
    let said = '';
    child.stdout!.on('data', (chunk) => (said += chunk));
    child.stderr!.on('data', (chunk) => (said += chunk));
    child.on('error', (error) => reject(notRunnable(binaries.initdb, error)));
    child.on('close', (code) => {
      if (code === 0) resolve();
      else
        reject(
          internal(`Postgres could not make its data folder${hint(said)}:\n${said.trim().slice(-2_000)}`),
        );
    });
  });
}

/** Containers often run programs under a user id without an account, which initdb refuses. */
function hint(said: string): string {
  if (!said.includes('could not look up effective user ID')) return '';
  return ', because the user of this process has no name on this machine; add a line for it to /etc/passwd, or set DATABASE_URL';
}

export function notRunnable(program: string, error: Error): Error {
  return internal(
    `${program} cannot be run here (${error.message}); set DATABASE_URL to a Postgres of yours`,
    error,
  );
}
