import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { unshieldEvent } from '@hearth/people';
import type { AppsService } from '@hearth/proto/identity/v1/apps';
import type { UnaryHandler } from '@hearth/rpc';
import { recordDeletionConfirmed } from '../../shared/actions/metrics.ts';
import { lockAppDeletion, updateConfirmed } from '../../shared/db/app-deletions.ts';
import type { Context } from '../context.ts';
import { callingApp } from '../domain/calling-app.ts';
import { deletionConfirmed } from '../domain/events.ts';

/** Records that the calling app deleted its data after an account.deleted event. Idempotent. */
export const confirmDeleted =
  ({ clock, commit, sealer }: Context): UnaryHandler<typeof AppsService.method.confirmDeleted> =>
  async (request, { caller }) => {
    const app = callingApp(caller);
    const told = parseId('evt', request.event);
    if (told === null) throw notFound();
    const confirmed = await commit(async (tx) => {
      // An app that did not hold the child received the event under a shielded id.
      for (const event of [told, unshieldEvent(sealer, app, told)]) {
        const deletion = await lockAppDeletion(tx, event, app);
        if (deletion === null) continue;
        if (deletion.confirmedAt !== null) return false;
        await updateConfirmed(tx, event, app, nowDate(clock));
        tx.announce(deletionConfirmed(told, app, caller));
        return true;
      }
      throw notFound();
    });
    if (confirmed) recordDeletionConfirmed();
    return { confirmed: true };
  };
