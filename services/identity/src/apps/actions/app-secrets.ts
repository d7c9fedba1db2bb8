import { hash } from 'node:crypto';
import { type Clock, nowDate } from '@hearth/clock';
import type { Ids, Random } from '@hearth/ids';
import type { Sealer } from '@hearth/sealing';
import type { AppRow } from '../db/apps.ts';

/** The key of an app, which is shown once. Stored are its hash and what tells it from the app's other keys. */
export interface AppKey {
  text: string;
  /** SHA-256 of the text. */
  hash: Buffer;
  prefix: string;
}

/** Makes the secrets of apps, and opens those that webhooks are signed with. */
export interface AppSecrets {
  newKey(): AppKey;
  /** As the app is shown it, and sealed as it is stored. */
  newSigningSecret(app: string): { text: string; sealed: Buffer };
  /** The secrets that sign at this moment: the present one, then the one of before while it goes on. */
  signingSecrets(app: AppRow): string[];
  /** The same, sealed as they are stored. */
  sealedSecrets(app: Pick<AppRow, 'signingSecret' | 'oldSigningSecret' | 'oldSecretEndsAt'>): Buffer[];
}

/** By which people and secret scanners know such a key. */
const keyPrefix = 'hearth_app_';
const secretLength = 43;
/** Tells the keys of one app apart and gives away 24 of 256 bits. */
const shownLength = 4;
const signingPrefix = 'whsec_';
const signingBytes = 32;

export function createAppSecrets(options: {
  ids: Pick<Ids, 'token'>;
  random: Random;
  sealer: Pick<Sealer, 'seal' | 'open'>;
  clock: Clock;
}): AppSecrets {
  const { ids, random, sealer, clock } = options;
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
    newKey() {
      const text = `${keyPrefix}${ids.token(secretLength)}`;
      return {
        text,
        hash: hash('sha256', text, 'buffer'),
        prefix: text.slice(0, keyPrefix.length + shownLength),
      };
    },
    newSigningSecret(app) {
      const text = `${signingPrefix}${Buffer.from(random.bytes(signingBytes)).toString('base64')}`;
      return { text, sealed: sealer.seal(Buffer.from(text), contextOf(app)) };
    },
    signingSecrets: (app) => sealedSecrets(app).map((sealed) => open(sealed, app.id)),
    sealedSecrets,
  };
}
