import { readFileSync, statSync } from 'node:fs';
import { internal } from '@hearth/errors';

/** The operating-system account that Postgres runs under. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * Postgres refuses to run as root. Under root it therefore runs as whoever owns its files already, else as
 * `nobody`; otherwise as the account of the home itself (null).
 */
export function chooseAccount(cluster: string): Account | null {
  if (process.geteuid?.() !== 0) return null;
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return readAccount('nobody');
}

function readAccount(name: string): Account {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  if (line === undefined) {
    throw internal(
      `Postgres cannot run as root and this machine has no user ${name}; start the home as another user, or set DATABASE_URL`,
    );
  }
  const [, , uid, gid] = line.split(':');
  // Some systems write the number of `nobody` as -2.
  return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
}
