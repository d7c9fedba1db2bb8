import type { KeysService } from '@hearth/proto/federation/v1/keys';
import type { UnaryHandler } from '@hearth/rpc';
import { newRecoveryKey, newSigningKey } from '../actions/make-keys.ts';
import { recoverySecret } from '../actions/recovery-file.ts';
import type { Context } from '../context.ts';
import { activeKeys, recoveryKeys, recoveryReplaced, revoked, rotated } from '../domain/key-plan.ts';
import { toHomeKey } from '../domain/to-home-key.ts';

/** The reason that calls for revoking the current key: after a rotation it would stay valid for those who have it. */
const compromised = 'compromised';

/**
 * Adds a signing key, as the next key or active at once, or a recovery key, whose private key is only in this
 * answer.
 */
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
