import type { SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import type { Handlers } from '@hearth/rpc';
import { findWoken } from '../../shared/actions/find-woken.ts';
import type { SubscriptionsContext } from '../context.ts';
import { listSubscriptions as readSubscriptions } from '../db/subscriptions.ts';
import { showSubscription } from '../domain/show-subscription.ts';

/** Those of an AI that have not ended. */
export const listSubscriptions =
  ({
    ais,
    clock,
    database,
    streams,
  }: SubscriptionsContext): Handlers<typeof SubscriptionsService>['listSubscriptions'] =>
  async ({ id }, call) => {
    const { ai } = await findWoken(ais, id, call);
    const now = new Date(clock.now());
    const rows = await readSubscriptions(database.db, ai, now);
    return { subscriptions: rows.map((row) => showSubscription(streams, row, { now })) };
  };
