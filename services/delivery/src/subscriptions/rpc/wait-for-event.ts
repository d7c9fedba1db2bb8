import { sizeOf } from '@hearth/limits';
import type { SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import type { UnaryHandler } from '@hearth/rpc';
import { eventsTopic } from '../../shared/domain/streams.ts';
import { poll } from '../actions/poll.ts';
import type { Context } from '../context.ts';

/** A poll that is held while there is nothing. Without a cursor it is not: what comes between two waits would be missed. */
export const waitForEvent =
  (context: Context): UnaryHandler<typeof SubscriptionsService.method.waitForEvent> =>
  async ({ id, name, group, cursor, wait }, call) => {
    const limit = sizeOf(context.limits, 'page_entries');
    const polled = await poll(context, { id: id || 'me', name, group, cursor, limit }, call);
    if (polled.nothing && cursor !== undefined && (wait ?? 0) > 0) call.waitOn(eventsTopic(polled.ai));
    return polled.answer;
  };
