import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import type { Handlers } from '@hearth/rpc';
import { readFilter } from '../../shared/actions/filter.ts';
import { findWoken } from '../../shared/actions/find-woken.ts';
import { readUrl } from '../actions/read-subscribe.ts';
import type { SubscriptionsContext } from '../context.ts';
import { endSubscription } from '../db/subscriptions.ts';
import { subscriptionId } from '../domain/secrets.ts';

type SubscriptionsHandlers = Handlers<typeof SubscriptionsService>;

/** Ends a subscription: nothing is sent any more. */
export const unsubscribe =
  (context: SubscriptionsContext): SubscriptionsHandlers['unsubscribe'] =>
  async (request, call) => {
    const { ai } = await findWoken(context.ais, request.id, call);
    const id = parseId('sub', request.subscription);
    if (id === null) throw notFound();
    return await end(context, ai, id);
  };

/** The same by what it is of. */
export const unsubscribeFrom =
  (context: SubscriptionsContext): SubscriptionsHandlers['unsubscribeFrom'] =>
  async (request, call) => {
    const { ai } = await findWoken(context.ais, 'me', call);
    const { group } = readFilter({ name: request.name, group: request.group });
    const url = readUrl(context, request.url);
    return await end(context, ai, subscriptionId({ ai, url, name: request.name, group }));
  };

async function end(
  { clock, database, tellReach }: SubscriptionsContext,
  ai: string,
  id: string,
): Promise<object> {
  const now = new Date(clock.now());
  if (!(await database.statement((tx) => endSubscription(tx, { id, ai, now })))) throw notFound();
  await tellReach(ai);
  return {};
}
