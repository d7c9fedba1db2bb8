import type { AdminDeliveriesService } from '@hearth/proto/delivery/v1/admin_deliveries';
import type { Handlers } from '@hearth/rpc';
import type { AdminDeliveriesContext } from '../context.ts';
import { listAllDeliveries } from './list-all-deliveries.ts';
import { listDestinations } from './list-destinations.ts';
import { replayForApp } from './replay-for-app.ts';
import { resumeDestination } from './resume-destination.ts';
import { showDelivery } from './show-delivery.ts';

export type AdminDeliveriesHandlers = Handlers<typeof AdminDeliveriesService>;

/** What the operator sees of deliveries, and sets going again. */
export function adminDeliveriesHandlers(context: AdminDeliveriesContext): AdminDeliveriesHandlers {
  return {
    listDestinations: listDestinations(context),
    listAllDeliveries: listAllDeliveries(context),
    showDelivery: showDelivery(context),
    replayForApp: replayForApp(context),
    resumeDestination: resumeDestination(context),
  };
}
