import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import type { UnaryHandler } from '@hearth/rpc';
import { endSubscription } from '../actions/end-subscription.ts';
import { findWoken } from '../actions/find-woken.ts';
import type { Context } from '../context.ts';

export const unsubscribe =
  (context: Context): UnaryHandler<typeof SubscriptionsService.method.unsubscribe> =>
  async (request, call) => {
    const { ai } = await findWoken(context, request.id, call);
    const id = parseId('sub', request.subscription);
    if (id === null) throw notFound();
    return await endSubscription(context, ai, id);
  };
