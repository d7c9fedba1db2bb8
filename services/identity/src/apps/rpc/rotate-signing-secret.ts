import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import { fixed, sizeOf } from '@hearth/limits';
import type { AppsService } from '@hearth/proto/identity/v1/apps';
import type { UnaryHandler } from '@hearth/rpc';
import { recordAppRotation } from '../../shared/actions/metrics.ts';
import type { Context } from '../context.ts';
import { lockApp, updateSigningSecret } from '../db/apps.ts';
import { appGone, callingApp } from '../domain/calling-app.ts';
import { appChanged } from '../domain/events.ts';
import { overlapEndsAt } from '../domain/overlap.ts';

/** Gives the calling app a new signing secret; the previous one signs beside it for a while, and an older one ends. */
export const rotateSigningSecret =
  ({
    clock,
    commit,
    limits,
    secrets,
  }: Context): UnaryHandler<typeof AppsService.method.rotateSigningSecret> =>
  async (request, { caller }) => {
    const usual = Math.min(fixed.usual_app_key_overlap_hours, sizeOf(limits, 'app_key_overlap_hours'));
    const overlapHours = request.overlapHours ?? usual;
    const id = callingApp(caller);
    const signing = secrets.newSigningSecret(id);
    const endsAt = await commit(async (tx) => {
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
    return {
      signingSecret: signing.text,
      ...(endsAt !== null && { oldEndsAt: timestampFromDate(endsAt) }),
    };
  };
