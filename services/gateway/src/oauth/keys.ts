import { createPrivateKey } from 'node:crypto';
import type { Sealer } from '@hearth/sealing';

type Keys = Pick<Sealer, 'derive'>;

/** PKCS #8 in front of the 32 bytes of an Ed25519 key (RFC 8410). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signs the cookies of a sign-in that is under way; the same at every gateway. */
export function cookieKeys(sealer: Keys): string[] {
  return [sealer.derive('oauth', 'cookies').toString('base64url')];
}

/** The authorization server wants a key for ID tokens, of which this home gives none. */
export function unusedKeySet(sealer: Keys): { keys: object[] } {
  const der = Buffer.concat([pkcs8, sealer.derive('oauth', 'key')]);
  const jwk = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' });
  return { keys: [{ ...jwk, use: 'sig', alg: 'EdDSA', kid: 'unused' }] };
}
