import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { findAppDelivery } from '../../shared/db/app-deliveries.ts';
import { showWhole } from '../../shared/domain/show-delivery.ts';
import { type AppDeliveriesContext, callingApp, oldest } from '../context.ts';
import type { AppDeliveriesHandlers } from './index.ts';

/** One event of the calling app, with its attempts and its body. */
export const getDelivery =
  (context: AppDeliveriesContext): AppDeliveriesHandlers['getDelivery'] =>
  async ({ id }, { caller }) => {
    const app = callingApp(caller);
    const event = parseId('evt', id);
    const row =
      event === null ? null : await findAppDelivery(context.database.db, app, event, oldest(context));
    if (row === null) throw notFound();
    return showWhole(row);
  };
