import { HomeItemType } from '@hearth/proto/events/v1/events';
import type { ReceivedEvent } from '@hearth/runtime';
import { declineUntold } from '../actions/end-of.ts';
import type { Context } from '../context.ts';

/** Another home will not have the message that tells of a proposed move: whoever proposed it waits for no answer. */
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
