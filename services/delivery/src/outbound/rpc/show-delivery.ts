import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { AdminDeliveriesService, AdminDelivery } from '@hearth/proto/delivery/v1/admin_deliveries';
import type { UnaryHandler } from '@hearth/rpc';
import { findAppDelivery } from '../../shared/db/app-deliveries.ts';
import { showWhole } from '../../shared/domain/show-delivery.ts';
import type { Context } from '../context.ts';
import { type AdminDeliveryRow, findMailDelivery, findSubscriptionDelivery } from '../db/deliveries.ts';
import { showRow } from '../domain/show-row.ts';

/** One delivery to one destination, with the attempts of an app's. */
export const showDelivery =
  (context: Context): UnaryHandler<typeof AdminDeliveriesService.method.showDelivery> =>
  async ({ destination, id }) => {
    const event = parseId('evt', id);
    const found = event === null ? null : await find(context, destination, event);
    if (found === null) throw notFound();
    return found;
  };

async function find(
  { database: { db }, oldest }: Context,
  destination: string,
  event: string,
): Promise<AdminDelivery | null> {
  const app = parseId('app', destination);
  if (app !== null) {
    const row = await findAppDelivery(db, app, event, oldest());
    if (row === null) return null;
    return { ...showRow({ ...row, kind: 'app', destination: app }), attempts: showWhole(row).attempts };
  }
  const subscription = parseId('sub', destination);
  const person = parseId('per', destination);
  let row: AdminDeliveryRow | null = null;
  if (subscription !== null) row = await findSubscriptionDelivery(db, subscription, event);
  else if (person !== null) row = await findMailDelivery(db, person, event);
  return row === null ? null : showRow(row);
}
