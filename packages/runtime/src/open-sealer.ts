import { type Database, sql } from '@hearth/db';
import { internal } from '@hearth/errors';
import type { Random } from '@hearth/ids';
import { createSealer, derivationOf, type Sealer } from '@hearth/sealing';
import type { HomeSecrets } from './data-folder.ts';

const context = 'home.secret:derivation';

/**
 * The home's sealer. It derives from a secret that is stored sealed, so that derived values (children's ids, links)
 * survive a change of the seal key.
 *
 * @throws internal, worded for operators, if the seal key is not this database's
 */
export async function openSealer(
  database: Database,
  { sealKey, otherSealKey }: HomeSecrets,
  random: Random,
): Promise<Sealer> {
  const sealer = createSealer(sealKey, random, { other: otherSealKey });
  const derivation = await database.transaction(async (tx) => {
    const { sealed, ofSealKey } = await tx.one<{ sealed: Buffer | null; ofSealKey: boolean }>(
      sql`select sealed, of_seal_key as "ofSealKey" from home.secrets where name = 'derivation' for update`,
    );
    if (sealed !== null) return openDerivation(sealer, sealed);
    if (ofSealKey && otherSealKey !== undefined) {
      throw internal(
        'this home was not started with this release yet: start it once without HEARTH_SEAL_KEY_OTHER ' +
          '(seal.key.other), with the seal key that it had so far, and change the key then',
      );
    }
    const made = ofSealKey ? derivationOf(sealKey) : random.bytes(32);
    await tx.execute(
      sql`update home.secrets set sealed = ${sealer.seal(made, context)} where name = 'derivation'`,
    );
    return made;
  });
  return createSealer(sealKey, random, { other: otherSealKey, derivation });
}

/** @throws internal, worded for operators, if the seal key is not this database's */
export function openDerivation(sealer: Sealer, sealed: Buffer): Buffer {
  try {
    return sealer.open(sealed, context);
  } catch (cause) {
    throw internal(
      'the secrets of this home cannot be opened: they were sealed with another HEARTH_SEAL_KEY. ' +
        'Start with the one that belongs to this database (seal.key in the data folder of its first start).',
      cause,
    );
  }
}
