import type { Sealer } from '@hearth/sealing';
import { exportPrivateJwk, keyPairFromSeed } from '@hearth/signing';

type Keys = Pick<Sealer, 'derive'>;

/** Signs the cookies of a pending sign-in; the same at every gateway. */
export function cookieKeys(sealer: Keys): string[] {
  return [sealer.derive('oauth', 'cookies').toString('base64url')];
}

/** The library requires a key for ID tokens, which this home never issues. */
export function unusedKeySet(sealer: Keys): { keys: object[] } {
  const jwk = exportPrivateJwk(keyPairFromSeed(sealer.derive('oauth', 'key')));
  return { keys: [{ ...jwk, use: 'sig', alg: 'EdDSA', kid: 'unused' }] };
}
