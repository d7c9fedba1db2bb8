import { second } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import type { SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import type { UnaryHandler } from '@hearth/rpc';
import { eventsTopic } from '../../shared/domain/streams.ts';
import { poll } from '../actions/poll.ts';
import type { Context } from '../context.ts';

/** How long a gateway may cache an empty answer. */
const nothingHoldsMs = 20 * second;

export const pollEvents =
  (context: Context): UnaryHandler<typeof SubscriptionsService.method.pollEvents> =>
  async (request, call) => {
    const { limit, maxAgeMs, ...asked } = request;
    const most = sizeOf(context.limits, 'page_entries');
    const { ai, nothing, answer } = await poll(context, { ...asked, maxAgeMs, limit: limit || most }, call);
    if (nothing && maxAgeMs === undefined) call.validFor(nothingHoldsMs, eventsTopic(ai));
    return answer;
  };
