import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Account } from './account.ts';

/** Whether every folder on the way to `path` lets the account pass through it. */
export function isReachable(path: string, account: Account | null): boolean {
  if (account === null) return true;
  const start = resolve(path);
  for (let folder = dirname(start); ; folder = dirname(folder)) {
    if (!letsThrough(folder, account)) return false;
    if (folder === dirname(folder)) return true;
  }
}

function letsThrough(folder: string, { uid, gid }: Account): boolean {
  const { mode, uid: owner, gid: group } = statSync(folder);
  if (owner === uid) return (mode & 0o100) !== 0;
  if (group === gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
