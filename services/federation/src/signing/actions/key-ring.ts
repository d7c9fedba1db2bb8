import type { Db } from '@hearth/db';
import { type HearthError, internal } from '@hearth/errors';
import type { Host } from '@hearth/runtime';
import type { Sealer } from '@hearth/sealing';
import { type KeyPair, keyPairFromSeed, thumbprint } from '@hearth/signing';
import { type KeyRow, listKeys, lockKeys, writeKey } from '../db/keys.ts';
import { activeKeys, isRecovery, recoveryKeys } from '../domain/key-plan.ts';
import { givenRecoveryKey, newRecoveryKey, newSigningKey, sealContext } from './make-keys.ts';
import { exportRecoveryKey, recoveryFileKid } from './recovery-file.ts';

/** An unsealed signing key. */
export interface SigningKey {
  pair: KeyPair;
  notBefore: Date;
}

/** The home's keys at one moment. */
export interface Keys {
  /** Every key that the home ever had, for its document. */
  readonly listed: readonly KeyRow[];
  /** Active keys, the one that currently signs records first. */
  readonly active: readonly SigningKey[];
  /**
   * Recently revoked keys: they still sign the home document, so that homes that know no other key learn of
   * the revocation.
   */
  readonly revoked: readonly SigningKey[];
}

/** The home's signing keys. Private keys never leave this file. */
export interface KeyRing {
  /** The keys as last read; another process may just have changed them. */
  readonly keys: Keys;
  /** The key that currently signs records. */
  readonly current: SigningKey;
  /** Reads the stored keys. */
  read(db: Db): Promise<Keys>;
  /** Adopts changes by other processes. */
  refresh(): Promise<void>;
}

export type Deps = Pick<Host, 'clock' | 'config' | 'database' | 'log' | 'own' | 'random' | 'sealer'>;

/** The most revoked keys that still sign: a document has at most eight signatures. */
const mostRevoked = 3;

/**
 * Opens this home's keys, creating the first ones if there are none; of replicas that start together, one
 * creates them and the others use them.
 *
 * @throws internal, with a message for the operator, if the seal key is not the one that sealed these keys
 */
export async function openKeyRing(options: Deps): Promise<KeyRing> {
  const { database, log, sealer } = options;
  const opened = new Map<string, SigningKey>();
  const open = (key: KeyRow) => {
    const found = opened.get(key.kid) ?? openKey(key, sealer);
    opened.set(key.kid, found);
    return found;
  };

  function toKeys(listed: readonly KeyRow[]): Keys {
    const lately = listed.filter((key) => key.status === 'revoked' && key.sealedSeed !== null);
    const known = new Set(listed.filter((key) => key.sealedSeed !== null).map(({ kid }) => kid));
    for (const kid of opened.keys()) if (!known.has(kid)) opened.delete(kid);
    return {
      listed,
      active: activeKeys(listed).map(open),
      revoked: lately.slice(0, mostRevoked).map(open),
    };
  }

  let keys = toKeys(await makeFirst(options));
  tellStrayRecoveryKeys(options, keys.listed);
  const current = () => {
    const [first] = keys.active;
    if (first === undefined) throw internal('the home has no active signing key');
    return first;
  };
  log.info({ kid: current().pair.kid, keys: keys.listed.length }, 'the signing key is open');
  const read = async (db: Db) => toKeys(await listKeys(db));
  return {
    get keys() {
      return keys;
    },
    get current() {
      return current();
    },
    read,
    async refresh() {
      keys = await read(database.db);
    },
  };
}

async function makeFirst(options: Deps): Promise<KeyRow[]> {
  const { clock, database, log, config } = options;
  const recoveryKey = options.own('recoveryKey');
  return await database.transaction(async (tx) => {
    await lockKeys(tx);
    const present = await listKeys(tx);
    if (activeKeys(present).length === 0) {
      const first = newSigningKey(options);
      // Nothing was signed before the first key.
      await writeKey(tx, { ...first, notBefore: first.createdAt, activatedAt: first.createdAt });
    }
    if (!present.some(isRecovery) && recoveryKey !== undefined) {
      await writeKey(tx, givenRecoveryKey(recoveryKey, clock.now()));
    } else if (!present.some(isRecovery)) {
      const { key, pair } = newRecoveryKey(options);
      try {
        // Written before the commit: a crash in between leaves a file without a key, which the next start
        // overwrites.
        const path = exportRecoveryKey(config.dataFolder, pair);
        await writeKey(tx, key);
        log.warn({ kid: key.kid, path }, 'the recovery key was made: move this file away, and keep it apart');
      } catch (err) {
        if ((err as NodeJS.ErrnoException).syscall === undefined) throw err;
        log.warn(
          { err },
          'there is no recovery key, for its file cannot be written: hearth key rotate --recovery',
        );
      }
    }
    return await listKeys(tx);
  });
}

/**
 * Warns at every start about a recovery key that this database doesn't know: it recovers nothing, and an
 * operator who keeps it instead of the true one would only find out in an emergency.
 */
function tellStrayRecoveryKeys({ config, log, own }: Deps, listed: readonly KeyRow[]): void {
  const known = recoveryKeys(listed).map(({ kid }) => kid);
  const inFile = recoveryFileKid(config.dataFolder);
  const recoveryKey = own('recoveryKey');
  const given = recoveryKey === undefined ? undefined : thumbprint(recoveryKey);
  const found = [
    { kid: inFile, what: "recovery.key in the data folder isn't this home's recovery key: delete the file" },
    {
      kid: given,
      what: "HEARTH_RECOVERY_KEY isn't this home's recovery key, and has no effect: take it away",
    },
  ];
  for (const { kid, what } of found) {
    if (kid !== undefined && !known.includes(kid)) log.warn({ kid, known }, what);
  }
}

function openKey(key: KeyRow, sealer: Sealer): SigningKey {
  if (key.sealedSeed === null)
    throw internal(`the signing key ${key.kid} is active and its secret half is not stored`);
  let seed: Buffer;
  try {
    seed = sealer.open(key.sealedSeed, sealContext(key.kid));
  } catch (cause) {
    throw wrongSealKey(key.kid, cause);
  }
  const pair = keyPairFromSeed(seed);
  if (pair.x !== key.x)
    throw internal(`the stored halves of the signing key ${key.kid} do not belong together`);
  return { pair: { ...pair, kid: key.kid }, notBefore: key.notBefore };
}

function wrongSealKey(kid: string, cause: unknown): HearthError {
  return internal(
    `the signing key ${kid} of this home cannot be opened: it was sealed with another HEARTH_SEAL_KEY. ` +
      'Start with the one that belongs to this database (seal.key in the data folder of its first start).',
    cause,
  );
}
