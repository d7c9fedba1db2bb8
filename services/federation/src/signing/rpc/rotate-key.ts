import type { KeysService } from '@hearth/proto/federation/v1/keys';
import type { UnaryHandler } from '@hearth/rpc';
import { newRecoveryKey, newSigningKey } from '../actions/make-keys.ts';
import { recoverySecret } from '../actions/recovery-file.ts';
import type { Context } from '../context.ts';
import { activeKeys, recoveryKeys, recoveryReplaced, revoked, rotated } from '../domain/key-plan.ts';
import { toHomeKey } from '../domain/to-home-key.ts';

/** The reason for which the key in use is revoked: a rotation would leave it valid to those who have it. */
const compromised = 'compromised';

/** A signing key that is listed ahead or signs at once, or a recovery key, whose secret is in this answer alone. */
export const rotateKey =
  (context: Context): UnaryHandler<typeof KeysService.method.rotateKey> =>
  async ({ now: atOnce, recovery, reason }, { caller }) => {
    const why = { reason, by: caller };
    if (!recovery) {
      const fresh = newSigningKey(context);
      const changed = await context.changes.make(
        (keys, now) =>
          reason === compromised
            ? revoked(keys, activeKeys(keys)[0]!.kid, fresh, now)
            : rotated(keys, fresh, now, atOnce),
        why,
      );
      return { key: toHomeKey(changed.at(-1)!) };
    }
    const { key: fresh, pair } = newRecoveryKey(context);
    const changed = await context.changes.make((keys, now) => {
      const [known] = recoveryKeys(keys);
      return reason === compromised && known !== undefined
        ? revoked(keys, known.kid, fresh, now)
        : recoveryReplaced(keys, fresh, now);
    }, why);
    const key = changed.find(({ kid }) => kid === fresh.kid)!;
    return { key: toHomeKey(key), recoveryKey: recoverySecret(pair) };
  };
