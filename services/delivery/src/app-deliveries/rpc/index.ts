import type { AppDeliveriesService } from '@hearth/proto/delivery/v1/app_deliveries';
import type { Handlers } from '@hearth/rpc';
import type { AppDeliveriesContext } from '../context.ts';
import { askGuess } from './ask-guess.ts';
import { getDelivery } from './get-delivery.ts';
import { listAppEvents } from './list-app-events.ts';
import { listDeliveries } from './list-deliveries.ts';
import { replayDeliveries, replayDelivery } from './replay-deliveries.ts';
import { testWebhook } from './test-webhook.ts';

export type AppDeliveriesHandlers = Handlers<typeof AppDeliveriesService>;

/** The log of what an app is sent. */
export function appDeliveriesHandlers(context: AppDeliveriesContext): AppDeliveriesHandlers {
  return {
    listDeliveries: listDeliveries(context),
    getDelivery: getDelivery(context),
    replayDelivery: replayDelivery(context),
    replayDeliveries: replayDeliveries(context),
    listAppEvents: listAppEvents(context),
    testWebhook: testWebhook(context),
    askGuess: askGuess(context),
  };
}
