import { HomeItemType } from '@hearth/proto/events/v1/events';
import type { ReceivedEvent } from '@hearth/runtime';
import { declineUntold } from '../actions/end-of.ts';
import type { Context } from '../context.ts';

/**
 * Declines a proposed move if the other home refused the message about it, so that its proposer doesn't wait
 * for an answer.
 */
export const onMessagesUndelivered = (context: Context) => ({
  durable: 'moves-undelivered',
  types: ['home_item_settled'],
  async handle(events: readonly ReceivedEvent[]): Promise<void> {
    const messages = events.flatMap(({ event: { data } }) => {
      if (data.case !== 'homeItemSettled' || data.value.service !== 'messages') return [];
      return [data.value, ...data.value.others].flatMap(({ delivered, id, type }) =>
        delivered || type !== HomeItemType.MESSAGE ? [] : [id],
      );
    });
    if (messages.length > 0) await declineUntold(context, messages);
  },
});
