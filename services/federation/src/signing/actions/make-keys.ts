import { minute } from '@hearth/clock';
import type { Host } from '@hearth/runtime';
import { importPublicKey, type KeyPair, keyPairFromSeed, thumbprint } from '@hearth/signing';
import type { KeyRow } from '../db/keys.ts';

const seedBytes = 32;

/** A new key counts from so long before it was made, so that it also signs the records of a service whose clock is behind. */
const clockToleranceMs = 5 * minute;

/** Bound into the sealed seed of a key, so that it does not open as the seed of another key. */
export const sealContext = (kid: string) => `federation.key:${kid}`;

/** A signing key that is stored nowhere yet, its secret half sealed. */
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

/** A recovery key; the operator alone keeps its secret half. */
export function newRecoveryKey({ random, clock }: Pick<Host, 'clock' | 'random'>) {
  const pair = keyPairFromSeed(random.bytes(seedBytes));
  return { key: { ...rowOf(pair, clock.now()), uses: ['recovery'] }, pair };
}

/** A recovery key that the operator made. The home gets only its public half. */
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
