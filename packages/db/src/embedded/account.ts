import { readFileSync, statSync } from 'node:fs';
import { internal } from '@hearth/errors';

/** The operating-system account that Postgres runs under. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * Chooses the account for Postgres, which refuses to run as root. Under root that is the owner of its existing files,
 * else the user `hearth` if the machine has one, else `nobody`; otherwise the home's own account (null).
 */
export function chooseAccount(cluster: string): Account | null {
  if (process.geteuid?.() !== 0) return null;
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const users = readFileSync('/etc/passwd', 'utf8');
  const account = accountOf('hearth', users) ?? accountOf('nobody', users);
  if (account === undefined) {
    throw internal(
      `Postgres cannot run as root and this machine has no user hearth or nobody; start the home as another user, or set DATABASE_URL`,
    );
  }
  return account;
}

/** Whether other programs on the machine use the account, and so can read and end what runs under it. */
export function isSharedAccount(account: Account | null): boolean {
  return account !== null && account.uid === accountOf('nobody', readFileSync('/etc/passwd', 'utf8'))?.uid;
}

/** Returns the account with that name from the text of /etc/passwd; undefined for root, which Postgres refuses. */
export function accountOf(name: string, users: string): Account | undefined {
  const line = users.split('\n').find((entry) => entry.startsWith(`${name}:`));
  if (line === undefined) return undefined;
  const [, , uid, gid] = line.split(':');
  // Some systems write the user id of `nobody` as -2.
  const account = { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
  return account.uid === 0 ? undefined : account;
}
