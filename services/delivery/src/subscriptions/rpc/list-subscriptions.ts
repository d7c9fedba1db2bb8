import type { SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import type { UnaryHandler } from '@hearth/rpc';
import { findWoken } from '../actions/find-woken.ts';
import type { Context } from '../context.ts';
import { listSubscriptions as readSubscriptions } from '../db/subscriptions.ts';
import { showSubscription } from '../domain/show-subscription.ts';

/** Lists an AI's subscriptions that have not ended. */
export const listSubscriptions =
  (context: Context): UnaryHandler<typeof SubscriptionsService.method.listSubscriptions> =>
  async ({ id }, call) => {
    const { ai } = await findWoken(context, id, call);
    const now = new Date(context.clock.now());
    const rows = await readSubscriptions(context.database.db, ai, now);
    return { subscriptions: rows.map((row) => showSubscription(row, { now })) };
  };
