import type { KeysService } from '@hearth/proto/federation/v1/keys';
import type { UnaryHandler } from '@hearth/rpc';
import { newRecoveryKey, newSigningKey } from '../actions/make-keys.ts';
import { recoverySecret } from '../actions/recovery-file.ts';
import type { Context } from '../context.ts';
import { isRecovery, revoked } from '../domain/key-plan.ts';
import { toHomeKey } from '../domain/to-home-key.ts';

/** Revokes a key, and replaces it if one of its kind is needed. */
export const revokeKey =
  (context: Context): UnaryHandler<typeof KeysService.method.revokeKey> =>
  async ({ kid, reason }, { caller }) => {
    const signing = newSigningKey(context);
    const recovery = newRecoveryKey(context);
    const [key, instead] = await context.changes.make(
      (keys, now) => {
        const ofRecovery = keys.some((row) => row.kid === kid && isRecovery(row));
        return revoked(keys, kid, ofRecovery ? recovery.key : signing, now);
      },
      { reason, by: caller },
    );
    return {
      key: toHomeKey(key!),
      ...(instead !== undefined && { replacedBy: toHomeKey(instead) }),
      ...(instead?.kid === recovery.pair.kid && { recoveryKey: recoverySecret(recovery.pair) }),
    };
  };
