import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { internal } from '@hearth/errors';
import { makeFolder } from './make-folder.ts';

export interface FolderLock {
  /** Gives the folder free. */
  release(): void;
}

/**
 * Makes this process the only one that uses a data folder, until `release` or its end, however it ends:
 * the lock is the operating system's own on an open file, held through SQLite since Node offers no other
 * way to it. So nothing stale is ever left, and neither a reused process number nor a container's own
 * numbering can fool it. It does not reach across machines that share a network folder.
 *
 * Throws `internal` with the process that holds it and the way out.
 */
export function lockFolder(folder: string): FolderLock {
  const lock = open(join(folder, 'home.lock'), folder);
  const holderFile = join(folder, 'home.pid');
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    lock.close();
    throw asLockError(error, folder, holderFile);
  }
  try {
    writeFileSync(holderFile, `${process.pid}\n`);
  } catch {
    // Only for the other's error message; a full disk must not keep a home from starting.
  }
  return {
    release() {
      if (!lock.isOpen) return;
      rmSync(holderFile, { force: true });
      lock.close();
    },
  };
}

function open(file: string, folder: string): DatabaseSync {
  try {
    makeFolder(folder);
    const lock = new DatabaseSync(file, { timeout: 0 });
    chmodSync(file, 0o600);
    return lock;
  } catch (error) {
    throw internal(
      `the data folder ${folder} cannot be written, so name another one with HEARTH_DATA: ${(error as Error).message}`,
      error,
    );
  }
}

const sqliteBusy = 5;

function asLockError(error: unknown, folder: string, holderFile: string): Error {
  if ((error as { errcode?: number }).errcode !== sqliteBusy) {
    return internal(`the data folder ${folder} cannot be locked: ${(error as Error).message}`, error);
  }
  return internal(
    `another home runs on the data folder ${folder}${holder(holderFile)}; stop it, or give this one a folder of its own with HEARTH_DATA`,
  );
}

function holder(holderFile: string): string {
  try {
    return ` (process ${readFileSync(holderFile, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
