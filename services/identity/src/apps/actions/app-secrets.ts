import { nowDate } from '@hearth/clock';
import { createIds, type Random } from '@hearth/ids';
import type { Host } from '@hearth/runtime';
import { newKey, type SecretKey } from '../../shared/domain/secret-key.ts';
import type { AppRow } from '../db/apps.ts';

/** Creates the secrets of apps, and opens those that sign webhooks. */
export interface AppSecrets {
  newKey(random?: Random): SecretKey;
  /** `text` is shown to the app; `sealed` is stored. */
  newSigningSecret(app: string, random?: Random): { text: string; sealed: Buffer };
  /** The secrets that sign now: the current one, then the previous one during the overlap. */
  signingSecrets(app: AppRow): string[];
  /** `signingSecrets`, sealed. */
  sealedSecrets(app: Pick<AppRow, 'signingSecret' | 'oldSigningSecret' | 'oldSecretEndsAt'>): Buffer[];
}

const signingPrefix = 'whsec_';
const signingBytes = 32;

export function createAppSecrets(host: Pick<Host, 'clock' | 'ids' | 'random' | 'sealer'>): AppSecrets {
  const { clock, ids, random, sealer } = host;
  const contextOf = (app: string) => `app.signing_secret:${app}`;
  const open = (sealed: Buffer, app: string) => sealer.open(sealed, contextOf(app)).toString('utf8');
  const sealedSecrets: AppSecrets['sealedSecrets'] = ({
    signingSecret,
    oldSigningSecret,
    oldSecretEndsAt,
  }) => {
    const goesOn = oldSecretEndsAt !== null && oldSecretEndsAt > nowDate(clock);
    return [signingSecret, ...(oldSigningSecret !== null && goesOn ? [oldSigningSecret] : [])];
  };
  return {
    newKey: (from) => newKey('app', from === undefined ? ids : createIds(clock, from)),
    newSigningSecret(app, from = random) {
      const text = `${signingPrefix}${Buffer.from(from.bytes(signingBytes)).toString('base64')}`;
      return { text, sealed: sealer.seal(Buffer.from(text), contextOf(app)) };
    },
    signingSecrets: (app) => sealedSecrets(app).map((sealed) => open(sealed, app.id)),
    sealedSecrets,
  };
}
