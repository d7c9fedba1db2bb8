import { minute } from '@hearth/clock';
import type { Host } from '@hearth/runtime';
import { importPublicKey, type KeyPair, keyPairFromSeed, thumbprint } from '@hearth/signing';
import type { KeyRow } from '../db/keys.ts';

const seedBytes = 32;

/**
 * A new key is valid from this long before its creation, so that it can sign records of a service whose clock
 * is behind.
 */
const clockToleranceMs = 5 * minute;

/** Bound into a key's sealed seed, so that it cannot be unsealed as the seed of another key. */
export const sealContext = (kid: string) => `federation.key:${kid}`;

/** Generates a signing key with a sealed seed; nothing is stored yet. */
export function newSigningKey({ sealer, random, clock }: Pick<Host, 'clock' | 'random' | 'sealer'>): KeyRow {
  const seed = random.bytes(seedBytes);
  const pair = keyPairFromSeed(seed);
  const now = clock.now();
  return {
    ...rowOf(pair, now),
    sealedSeed: sealer.seal(seed, sealContext(pair.kid)),
    uses: ['record', 'request'],
    notBefore: new Date(now - clockToleranceMs),
  };
}

/** Generates a recovery key; only the operator keeps its private key. */
export function newRecoveryKey({ random, clock }: Pick<Host, 'clock' | 'random'>) {
  const pair = keyPairFromSeed(random.bytes(seedBytes));
  return { key: { ...rowOf(pair, clock.now()), uses: ['recovery'] }, pair };
}

/** Returns the row of a recovery key that the operator generated. The home only gets its public key. */
export function givenRecoveryKey(x: string, now: number): KeyRow {
  const kid = thumbprint(x);
  importPublicKey({ kid, kty: 'OKP', crv: 'Ed25519', x });
  return { ...rowOf({ kid, x }, now), uses: ['recovery'] };
}

function rowOf({ kid, x }: Pick<KeyPair, 'kid' | 'x'>, now: number): KeyRow {
  const at = new Date(now);
  return {
    kid,
    x,
    sealedSeed: null,
    uses: [],
    status: 'active',
    notBefore: at,
    notAfter: null,
    revokedAt: null,
    activatedAt: null,
    createdAt: at,
  };
}
