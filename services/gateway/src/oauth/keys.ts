import type { Sealer } from '@hearth/sealing';
import { exportPrivateJwk, keyPairFromSeed } from '@hearth/signing';

type Keys = Pick<Sealer, 'derive'>;

/** Signs the cookies of a sign-in that is under way; the same at every gateway. */
export function cookieKeys(sealer: Keys): string[] {
  return [sealer.derive('oauth', 'cookies').toString('base64url')];
}

/** The authorization server wants a key for ID tokens, of which this home gives none. */
export function unusedKeySet(sealer: Keys): { keys: object[] } {
  const jwk = exportPrivateJwk(keyPairFromSeed(sealer.derive('oauth', 'key')));
  return { keys: [{ ...jwk, use: 'sig', alg: 'EdDSA', kid: 'unused' }] };
}
