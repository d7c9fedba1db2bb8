import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@hearth/db';
import { exportPrivateJwk, importPrivateJwk, type KeyPair } from '@hearth/signing';

/** Returns a recovery key's private key in the operator's form: a JWK on one line. */
export function recoverySecret(pair: KeyPair): string {
  return JSON.stringify(exportPrivateJwk(pair));
}

/**
 * Writes the private key of the first recovery key to recovery.key in the data folder, for the operator to
 * move away.
 *
 * @throws file system errors
 */
export function exportRecoveryKey(dataFolder: string, pair: KeyPair): string {
  const path = join(dataFolder, 'recovery.key');
  makeFolder(dataFolder);
  writeFileSync(path, `${recoverySecret(pair)}\n`, { mode: 0o600, flush: true });
  chmodSync(path, 0o600);
  return path;
}

/**
 * Returns the kid of the key in recovery.key in the data folder; undefined if there is no such file,
 * 'unreadable' if it holds no key.
 */
export function recoveryFileKid(dataFolder: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(join(dataFolder, 'recovery.key'), 'utf8');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable';
  }
  try {
    return importPrivateJwk(JSON.parse(text)).kid;
  } catch {
    return 'unreadable';
  }
}
