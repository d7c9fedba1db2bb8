import { second } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import { eventsTopic } from '../../shared/domain/topics.ts';
import { poll, toAnswer } from '../actions/poll.ts';
import type { EventsContext } from '../poll-context.ts';
import type { EventsHandlers } from './poll-index.ts';

/** How long a gateway may say that nothing happened without asking again. */
const nothingHoldsMs = 20 * second;

export const pollEvents =
  (context: EventsContext): EventsHandlers['pollEvents'] =>
  async (request, call) => {
    const { limit, maxAgeMs, ...asked } = request;
    const most = sizeOf(context.limits, 'page_entries');
    const polled = await poll(context, { ...asked, maxAgeMs, limit: limit || most }, call);
    const { rows, hasMore, truncated } = polled.answer;
    if (rows.length === 0 && !hasMore && !truncated && maxAgeMs === undefined)
      call.validFor(nothingHoldsMs, eventsTopic(polled.stream.ai));
    return toAnswer(polled);
  };
