import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { type HearthError, internal } from '@hearth/errors';
import type { Host } from '@hearth/runtime';
import type { Sealer } from '@hearth/sealing';
import { type KeyPair, keyPairFromSeed } from '@hearth/signing';
import { insertKey, type KeyRow, listKeys, lockKeys } from '../db/keys.ts';

/** A key that signs, opened. */
export interface SigningKey {
  pair: KeyPair;
  notBefore: Date;
}

/** The home's signing keys. Their secret halves leave this file nowhere. */
export interface KeyRing {
  /** Every key that the home ever had, for its document. */
  readonly listed: readonly KeyRow[];
  /** The active keys, the newest first: the document bears the signature of each. */
  readonly active: readonly SigningKey[];
  /** The key that signs records now. */
  readonly current: SigningKey;
}

export type Deps = Pick<Host, 'clock' | 'database' | 'log' | 'random' | 'sealer'>;

const seedBytes = 32;

/**
 * Opens the keys of this home, after making the first one if there is none: of replicas that start at once
 * one makes it and the others take it.
 *
 * @throws internal, in words for the operator, when the seal key is not the one that these keys were sealed with
 */
export async function openKeyRing(options: Deps): Promise<KeyRing> {
  const listed = await options.database.transaction(async (tx) => {
    await lockKeys(tx);
    const present = await listKeys(tx);
    if (present.some((key) => key.status === 'active')) return present;
    return [await makeKey(tx, options), ...present];
  });
  const active = listed.filter((key) => key.status === 'active').map((key) => openKey(key, options.sealer));
  const [current] = active;
  if (current === undefined) throw internal('the home has no active signing key');
  options.log.info({ kid: current.pair.kid, keys: listed.length }, 'the signing key is open');
  return { listed, active, current };
}

async function makeKey(tx: Tx, { sealer, random, clock }: Deps): Promise<KeyRow> {
  const seed = random.bytes(seedBytes);
  const { kid, x } = keyPairFromSeed(seed);
  const now = nowDate(clock);
  const key: KeyRow = {
    kid,
    x,
    sealedSeed: sealer.seal(seed, sealContext(kid)),
    uses: ['record', 'request'],
    status: 'active',
    notBefore: now,
    notAfter: null,
    revokedAt: null,
  };
  await insertKey(tx, key, now);
  return key;
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

/** A sealed seed opens for its own key alone. */
function sealContext(kid: string): string {
  return `federation.key:${kid}`;
}

function wrongSealKey(kid: string, cause: unknown): HearthError {
  return internal(
    `the signing key ${kid} of this home cannot be opened: it was sealed with another HEARTH_SEAL_KEY. ` +
      'Start with the one that belongs to this database (seal.key in the data folder of its first start).',
    cause,
  );
}
