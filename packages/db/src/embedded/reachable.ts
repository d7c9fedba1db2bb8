import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Account } from './account.ts';

/** Whether the account can traverse every folder on the way to `path`; a missing folder counts as passable. */
export function isReachable(path: string, account: Account | null): boolean {
  if (account === null) return true;
  const start = resolve(path);
  for (let folder = dirname(start); ; folder = dirname(folder)) {
    if (!letsThrough(folder, account)) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** Whether the account may enter that folder, or run that program. */
export function letsThrough(path: string, { uid, gid }: Account): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return true;
  const { mode, uid: owner, gid: group } = found;
  if (owner === uid) return (mode & 0o100) !== 0;
  if (group === gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
