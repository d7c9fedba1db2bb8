import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import type { AppsContext } from '../../apps-context.ts';
import { lockApp, updateSigningSecret } from '../../db/apps.ts';
import { overlapEndsAt } from '../../domain/overlap.ts';
import { appChanged } from '../../events/announce-apps.ts';
import { recordAppRotation } from '../../metrics.ts';
import { appGone, callingApp } from './calling-app.ts';
import type { AppsHandlers } from './index.ts';

/** Gives the calling app a new signing secret; the one of before signs beside it for a while, an older one no more. */
export function rotateSigningSecret(context: AppsContext): AppsHandlers['rotateSigningSecret'] {
  const { clock, database, outbox, secrets } = context;
  return async ({ overlapHours }, { caller }) => {
    const id = callingApp(caller);
    const signing = secrets.newSigningSecret(id);
    const rows = [appChanged(outbox, id, ['signing_secret'], caller)];
    const endsAt = await database.transaction(async (tx) => {
      const present = await lockApp(tx, id);
      if (present === null) throw appGone();
      const oldSecretEndsAt = overlapHours === 0 ? null : overlapEndsAt(overlapHours, nowDate(clock));
      await updateSigningSecret(tx, id, {
        signingSecret: signing.sealed,
        oldSigningSecret: oldSecretEndsAt === null ? null : present.signingSecret,
        oldSecretEndsAt,
      });
      await outbox.announce(tx, rows);
      return oldSecretEndsAt;
    });
    outbox.committed(rows);
    recordAppRotation({ of: 'signing_secret' });
    return {
      signingSecret: signing.text,
      ...(endsAt !== null && { oldEndsAt: timestampFromDate(endsAt) }),
    };
  };
}
