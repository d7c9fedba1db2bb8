import type { SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import type { UnaryHandler } from '@hearth/rpc';
import { endSubscription } from '../actions/end-subscription.ts';
import { readFilter } from '../actions/filter.ts';
import { findWoken } from '../actions/find-woken.ts';
import { readUrl } from '../actions/read-subscribe.ts';
import type { Context } from '../context.ts';
import { subscriptionId } from '../domain/secrets.ts';

/** Ends a subscription identified by event, group and address. */
export const unsubscribeFrom =
  (context: Context): UnaryHandler<typeof SubscriptionsService.method.unsubscribeFrom> =>
  async (request, call) => {
    const { ai } = await findWoken(context, 'me', call);
    const { group } = readFilter({ name: request.name, group: request.group });
    const url = readUrl(context, request.url);
    return await endSubscription(context, ai, subscriptionId({ ai, url, name: request.name, group }));
  };
