import type { KeysService } from '@hearth/proto/federation/v1/keys';
import type { UnaryHandler } from '@hearth/rpc';
import { newRecoveryKey, newSigningKey } from '../actions/make-keys.ts';
import { recoverySecret } from '../actions/recovery-file.ts';
import type { Context } from '../context.ts';
import { recoveryReplaced, rotated } from '../domain/key-plan.ts';
import { toHomeKey } from '../domain/to-home-key.ts';

/** A signing key that is listed ahead or signs at once, or a recovery key, whose secret is in this answer alone. */
export const rotateKey =
  (context: Context): UnaryHandler<typeof KeysService.method.rotateKey> =>
  async ({ now: atOnce, recovery, reason }, { caller }) => {
    const { changes } = context;
    const why = { reason, by: caller };
    if (!recovery) {
      const fresh = newSigningKey(context);
      const [key] = await changes.make((keys, now) => rotated(keys, fresh, now, atOnce), why);
      return { key: toHomeKey(key!) };
    }
    const { key: fresh, pair } = newRecoveryKey(context);
    const [key] = await changes.make((keys, now) => recoveryReplaced(keys, fresh, now), why);
    return { key: toHomeKey(key!), recoveryKey: recoverySecret(pair) };
  };
