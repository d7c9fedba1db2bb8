import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HomeConfig, isOwnSetting } from '@hearth/config';
import { makeFolder } from '@hearth/db';
import type { Ids, Random } from '@hearth/ids';
import type { ServiceName } from './service-names.ts';

export interface HomeSecrets {
  /** Undefined in a process without the service that reads it. */
  operatorKey?: string | undefined;
  sealKey: string;
  /** A second key, which also opens what it sealed, while the seal key changes. */
  otherSealKey?: string | undefined;
}

/**
 * The operator's secrets, or else those generated at the first start: files in the data folder that only its owner can
 * read.
 */
export function homeSecrets(
  config: HomeConfig,
  running: readonly ServiceName[],
  { ids, random }: { ids: Ids; random: Random },
): HomeSecrets {
  const made = (file: string, make: () => string) => readOrMake(config.dataFolder, file, make);
  return {
    operatorKey: running.some((name) => isOwnSetting(name, 'operatorKey'))
      ? (config.operatorKey?.reveal() ?? made('operator.key', () => `hearth_op_${ids.token(43)}`))
      : undefined,
    sealKey:
      config.sealKey?.reveal() ?? made('seal.key', () => Buffer.from(random.bytes(32)).toString('base64url')),
    otherSealKey: otherSealKeyOf(config),
  };
}

/** The given or generated seal key, and the other one during a change; undefined if there is none. */
export function knownSealKeys(config: HomeConfig): Pick<HomeSecrets, 'sealKey' | 'otherSealKey'> | undefined {
  const sealKey = config.sealKey?.reveal() ?? read(join(config.dataFolder, 'seal.key'));
  return sealKey === undefined ? undefined : { sealKey, otherSealKey: otherSealKeyOf(config) };
}

function otherSealKeyOf(config: HomeConfig): string | undefined {
  return config.otherSealKey?.reveal() ?? read(join(config.dataFolder, 'seal.key.other'));
}

function read(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
}

function readOrMake(folder: string, file: string, make: () => string): string {
  const path = join(folder, file);
  const known = read(path);
  if (known !== undefined) return known;
  makeFolder(folder);
  const secret = make();
  // Written next to it and renamed, so that a crash never leaves half a key.
  writeFileSync(`${path}.new`, `${secret}\n`, { mode: 0o600, flush: true });
  chmodSync(`${path}.new`, 0o600);
  renameSync(`${path}.new`, path);
  return secret;
}
