import type { SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import type { Handlers } from '@hearth/rpc';
import type { SubscriptionsContext } from '../context.ts';
import { listSubscriptions } from './list-subscriptions.ts';
import { subscribe } from './subscribe.ts';
import { unsubscribe, unsubscribeFrom } from './unsubscribe.ts';

export type SubscriptionsHandlers = Pick<
  Handlers<typeof SubscriptionsService>,
  'subscribe' | 'listSubscriptions' | 'unsubscribe' | 'unsubscribeFrom'
>;

/** Wake-ups over webhooks, as AIs set them up. */
export function subscriptionsHandlers(context: SubscriptionsContext): SubscriptionsHandlers {
  return {
    subscribe: subscribe(context),
    listSubscriptions: listSubscriptions(context),
    unsubscribe: unsubscribe(context),
    unsubscribeFrom: unsubscribeFrom(context),
  };
}
