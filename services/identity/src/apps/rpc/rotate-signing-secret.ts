import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import { recordAppRotation } from '../../shared/actions/metrics.ts';
import type { AppsContext } from '../context.ts';
import { lockApp, updateSigningSecret } from '../db/apps.ts';
import { appGone, callingApp } from '../domain/calling-app.ts';
import { appChanged } from '../domain/events.ts';
import { overlapEndsAt } from '../domain/overlap.ts';
import type { AppsHandlers } from '../handlers.ts';

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
