import { sizeOf } from '@hearth/limits';
import { eventsTopic } from '../../streams/topics.ts';
import type { EventsContext } from './context.ts';
import type { EventsHandlers } from './index.ts';
import { poll, toAnswer } from './poll.ts';

/** A poll that is held while there is nothing. Without a cursor nothing is waited for: it would be missed between two waits. */
export const waitForEvent =
  (context: EventsContext): EventsHandlers['waitForEvent'] =>
  async ({ id, name, group, cursor, wait }, call) => {
    const limit = sizeOf(context.limits, 'page_entries');
    const polled = await poll(context, { id: id || 'me', name, group, cursor, limit }, call);
    const { rows, hasMore, truncated } = polled.answer;
    const nothing = rows.length === 0 && !hasMore && !truncated;
    if (nothing && !polled.first && (wait ?? 0) > 0) call.waitOn(eventsTopic(polled.stream.ai));
    return toAnswer(polled);
  };
