import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { recordDeletionConfirmed } from '../../shared/actions/metrics.ts';
import { lockAppDeletion, updateConfirmed } from '../../shared/db/app-deletions.ts';
import type { AppsContext } from '../context.ts';
import { callingApp } from '../domain/calling-app.ts';
import { deletionConfirmed } from '../domain/events.ts';
import type { AppsHandlers } from '../handlers.ts';

/** Notes that the calling app deleted what an account.deleted named. Repeated, it answers the same. */
export function confirmDeleted(context: AppsContext): AppsHandlers['confirmDeleted'] {
  const { clock, database, outbox } = context;
  return async (request, { caller }) => {
    const app = callingApp(caller);
    const event = parseId('evt', request.event);
    if (event === null) throw notFound();
    const rows = await database.transaction(async (tx) => {
      const deletion = await lockAppDeletion(tx, event, app);
      if (deletion === null) throw notFound();
      if (deletion.confirmedAt !== null) return [];
      await updateConfirmed(tx, event, app, nowDate(clock));
      const announced = [deletionConfirmed(outbox, event, app, caller)];
      await outbox.announce(tx, announced);
      return announced;
    });
    outbox.committed(rows);
    if (rows.length > 0) recordDeletionConfirmed();
    return { confirmed: true };
  };
}
