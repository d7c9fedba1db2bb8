import { sizeOf } from '@hearth/limits';
import { eventsTopic } from '../../shared/domain/topics.ts';
import { poll, toAnswer } from '../actions/poll.ts';
import type { EventsContext } from '../poll-context.ts';
import type { EventsHandlers } from './poll-index.ts';

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
