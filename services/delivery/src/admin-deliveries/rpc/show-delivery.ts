import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { AdminDelivery } from '@hearth/proto/delivery/v1/admin_deliveries';
import { findAppDelivery } from '../../shared/db/app-deliveries.ts';
import { showWhole } from '../../shared/domain/show-delivery.ts';
import { type AdminDeliveriesContext, oldest } from '../context.ts';
import { findMailDelivery, findSubscriptionDelivery } from '../db/deliveries.ts';
import { showRow } from '../domain/show-row.ts';
import type { AdminDeliveriesHandlers } from './index.ts';

/** What went, or goes, to one destination, with the attempts of an app's. */
export const showDelivery =
  (context: AdminDeliveriesContext): AdminDeliveriesHandlers['showDelivery'] =>
  async ({ destination, id }) => {
    const event = parseId('evt', id);
    const found = event === null ? null : await find(context, destination, event);
    if (found === null) throw notFound();
    return found;
  };

async function find(
  context: AdminDeliveriesContext,
  destination: string,
  event: string,
): Promise<AdminDelivery | null> {
  const { db } = context.database;
  const app = parseId('app', destination);
  if (app !== null) {
    const row = await findAppDelivery(db, app, event, oldest(context));
    if (row === null) return null;
    return { ...showRow({ ...row, kind: 'app', destination: app }), attempts: showWhole(row).attempts };
  }
  const subscription = parseId('sub', destination);
  const person = parseId('per', destination);
  const row =
    subscription !== null
      ? await findSubscriptionDelivery(db, subscription, event)
      : person !== null
        ? await findMailDelivery(db, person, event)
        : null;
  return row === null ? null : showRow(row);
}
