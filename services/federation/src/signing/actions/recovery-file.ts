import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@hearth/db';
import { exportPrivateJwk, importPrivateJwk, type KeyPair } from '@hearth/signing';

/** The secret half of a recovery key as the operator gets it: a JWK in one line. */
export function recoverySecret(pair: KeyPair): string {
  return JSON.stringify(exportPrivateJwk(pair));
}

/**
 * Writes the secret half of the first recovery key to recovery.key in the data folder, for the operator to move away.
 *
 * @throws what the file system says
 */
export function exportRecoveryKey(dataFolder: string, pair: KeyPair): string {
  const path = join(dataFolder, 'recovery.key');
  makeFolder(dataFolder);
  writeFileSync(path, `${recoverySecret(pair)}\n`, { mode: 0o600, flush: true });
  chmodSync(path, 0o600);
  return path;
}

/** The kid of the key in recovery.key of the data folder; undefined where there is no such file, 'unreadable' where it holds no key. */
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
