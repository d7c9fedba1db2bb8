import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { AdminDeliveriesService, AdminDelivery } from '@hearth/proto/delivery/v1/admin_deliveries';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { findAppDelivery } from '../../shared/db/app-deliveries.ts';
import { mailServer } from '../../shared/db/shown-kind.ts';
import { showWhole } from '../../shared/domain/show-delivery.ts';
import { readDestination } from '../actions/destination-id.ts';
import { findAis } from '../actions/find-ais.ts';
import { kindOf } from '../actions/kind-of.ts';
import { showRow } from '../actions/show-row.ts';
import type { Context } from '../context.ts';
import { findSend } from '../db/shown-sends.ts';

/** Returns a delivery to one destination; with its attempts if it is an app's. */
export const showDelivery =
  (context: Context): UnaryHandler<typeof AdminDeliveriesService.method.showDelivery> =>
  async ({ destination, id }, call) => {
    const event = parseId('evt', id);
    const found = event === null ? null : await find(context, destination, event, call);
    if (found === null) throw notFound();
    return found;
  };

async function find(
  context: Context,
  destination: string,
  event: string,
  call: Call,
): Promise<AdminDelivery | null> {
  const { db } = context.database;
  const to = readDestination(destination);
  if (to === null) return null;
  if (to.kind === 'app') {
    const row = await findAppDelivery(db, to.id, event, context.oldest());
    if (row === null) return null;
    const { attempts } = showWhole(row);
    return { ...showRow({ ...row, kind: 'app', destination: to.id }, () => false), attempts };
  }
  const row =
    (await findSend(db, kindOf(context, to.kind), to.id === mailServer ? null : to.id, event)) ??
    // The id of a person names their callbacks, and also the mails to them.
    (to.kind === 'callback' ? await findSend(db, kindOf(context, 'mail'), to.id, event) : null);
  if (row === null) return null;
  const ais = await findAis(context, row.kind === 'callback' ? [row.destination] : [], call);
  return showRow(row, (id) => ais.has(id));
}
