import { readFileSync, statSync } from 'node:fs';
import { internal } from '@hearth/errors';

/** The operating-system account that Postgres runs under. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * Postgres refuses to run as root. Under root it therefore runs as whoever owns its files already, else as the user `hearth` where
 * the machine has one, else as `nobody`; otherwise as the account of the home itself (null).
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

/** Whether other programs of the machine use the account too, and so can read and end what runs as it. */
export function isSharedAccount(account: Account | null): boolean {
  return account !== null && account.uid === accountOf('nobody', readFileSync('/etc/passwd', 'utf8'))?.uid;
}

/** The account of a name in the text of /etc/passwd. Root is none that Postgres runs as. */
export function accountOf(name: string, users: string): Account | undefined {
  const line = users.split('\n').find((entry) => entry.startsWith(`${name}:`));
  if (line === undefined) return undefined;
  const [, , uid, gid] = line.split(':');
  // Some systems write the number of `nobody` as -2.
  const account = { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
  return account.uid === 0 ? undefined : account;
}
