import { sizeOf } from '@hearth/limits';
import type { SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import type { UnaryHandler } from '@hearth/rpc';
import { eventsTopic } from '../../shared/domain/streams.ts';
import { poll } from '../actions/poll.ts';
import type { Context } from '../context.ts';

/**
 * Long-polls while there are no wake-ups. Without a cursor it does not wait: wake-ups between two calls would
 * be missed.
 */
export const waitForEvent =
  (context: Context): UnaryHandler<typeof SubscriptionsService.method.waitForEvent> =>
  async ({ id, name, group, cursor, wait }, call) => {
    const limit = sizeOf(context.limits, 'page_entries');
    const polled = await poll(context, { id: id || 'me', name, group, cursor, limit }, call);
    if (polled.nothing && cursor !== undefined && (wait ?? 0) > 0) call.waitOn(eventsTopic(polled.ai));
    return polled.answer;
  };
