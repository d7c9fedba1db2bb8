import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import { fixed, sizeOf } from '@hearth/limits';
import { AppsService } from '@hearth/proto/identity/v1/apps';
import type { UnaryHandler } from '@hearth/rpc';
import { recordAppRotation } from '../../shared/actions/metrics.ts';
import { newSalt, randomOf, requireShown } from '../../shared/actions/secret-again.ts';
import type { Context } from '../context.ts';
import { findApp, lockApp, updateSigningSecret } from '../db/apps.ts';
import { appGone, callingApp } from '../domain/calling-app.ts';
import { appChanged } from '../domain/events.ts';
import { overlapEndsAt } from '../domain/overlap.ts';

/**
 * Gives the calling app a new signing secret; the previous one also signs during the overlap, and any older
 * one ends.
 */
export const rotateSigningSecret =
  (context: Context): UnaryHandler<typeof AppsService.method.rotateSigningSecret> =>
  async (request, call) => {
    const { clock, commit, database, limits, rotations, sealer, secrets } = context;
    const { caller } = call;
    const usual = Math.min(fixed.usual_app_key_overlap_hours, sizeOf(limits, 'app_key_overlap_hours'));
    const overlapHours = request.overlapHours ?? usual;
    const id = callingApp(caller);
    return await rotations.once(call, AppsService.method.rotateSigningSecret, request, {
      async make(claim) {
        const salted = newSalt(context);
        const signing = secrets.newSigningSecret(id, randomOf(sealer, salted));
        const endsAt = await commit(async (tx) => {
          await claim(tx, salted);
          const present = await lockApp(tx, id);
          if (present === null) throw appGone();
          const oldSecretEndsAt = overlapHours === 0 ? null : overlapEndsAt(overlapHours, nowDate(clock));
          await updateSigningSecret(tx, id, {
            signingSecret: signing.sealed,
            oldSigningSecret: oldSecretEndsAt === null ? null : present.signingSecret,
            oldSecretEndsAt,
          });
          tx.announce(appChanged(id, ['signing_secret'], caller));
          return oldSecretEndsAt;
        });
        recordAppRotation({ of: 'signing_secret' });
        return shown(signing.text, endsAt);
      },
      async repeat(salted) {
        const { text } = secrets.newSigningSecret(id, randomOf(sealer, salted));
        const app = await findApp(database.db, id);
        if (app === null) throw appGone();
        const [present] = secrets.signingSecrets(app);
        requireShown(salted, clock, present === text);
        return shown(text, app.oldSecretEndsAt);
      },
    });
  };

const shown = (signingSecret: string, endsAt: Date | null) => ({
  signingSecret,
  ...(endsAt !== null && { oldEndsAt: timestampFromDate(endsAt) }),
});
