import type { MessageInitShape } from '@bufbuild/protobuf';
import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { UnitOfWork } from '@hearth/outbox';
import type { AppSchema } from '@hearth/proto/identity/v1/apps';
import type { Caller } from '@hearth/rpc';
import { notSuspended, type Suspended } from '../../shared/domain/suspension.ts';
import type { Context } from '../context.ts';
import { type AppRow, lockApp, updateSuspension } from '../db/apps.ts';
import { appChanged } from '../domain/events.ts';
import { toOperator } from '../domain/to-app.ts';

/**
 * Suspends an app, or ends its suspension if `to` is null; does nothing for an app that is not suspended.
 *
 * @throws not_found
 */
export async function changeSuspension(
  { clock, commit }: Pick<Context, 'clock' | 'commit'>,
  reference: string,
  to: Suspended | null,
  { by, reason }: { by: Caller; reason: string },
): Promise<MessageInitShape<typeof AppSchema>> {
  const id = parseId('app', reference);
  if (id === null) throw notFound();
  return await commit(async (tx) => {
    const app = await lockApp(tx, id);
    if (app === null) throw notFound();
    if (to === null) return toOperator(await restoreLocked(tx, app, by, reason), nowDate(clock));
    await updateSuspension(tx, id, to);
    tx.announce(appChanged(id, ['suspended'], by, { until: to.suspendedUntil, reason }));
    tx.signal('credentials', id);
    return toOperator({ ...app, ...to }, nowDate(clock));
  });
}

/** Ends the suspension of a locked app: by the operator, or once it expires. */
export async function restoreLocked(
  tx: UnitOfWork,
  app: AppRow,
  by?: Caller,
  reason?: string,
): Promise<AppRow> {
  if (app.suspendedUntil === null) return app;
  await updateSuspension(tx, app.id, notSuspended);
  tx.announce(appChanged(app.id, ['restored'], by, { reason }));
  tx.signal('credentials', app.id);
  return { ...app, ...notSuspended };
}
