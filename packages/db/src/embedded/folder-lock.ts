import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { internal } from '@hearth/errors';
import { makeFolder } from './make-folder.ts';

export interface FolderLock {
  /** Releases the folder. */
  release(): void;
}

/**
 * Locks a data folder for this process until `release` or the process's end, however it ends: an operating-system lock
 * on an open file, held through SQLite because Node offers no other way. So no stale lock can remain, and neither a
 * reused process id nor a container's own numbering can fool it. It does not work across machines that share a network
 * folder.
 *
 * @throws internal, with the process that holds the lock and the remedy
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
    // Only used in the other process's error message; a full disk must not keep a home from starting.
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
