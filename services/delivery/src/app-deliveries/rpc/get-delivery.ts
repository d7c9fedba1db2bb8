import type { AppDeliveriesService } from '@hearth/proto/delivery/v1/app_deliveries';
import type { UnaryHandler } from '@hearth/rpc';
import { showWhole } from '../../shared/domain/show-delivery.ts';
import { callingApp, findEvent } from '../actions/find-app.ts';
import type { Context } from '../context.ts';

/** Returns an event of the calling app, with its attempts and body. */
export const getDelivery =
  (context: Context): UnaryHandler<typeof AppDeliveriesService.method.getDelivery> =>
  async ({ id }, { caller }) =>
    showWhole(await findEvent(context, callingApp(caller), id));
