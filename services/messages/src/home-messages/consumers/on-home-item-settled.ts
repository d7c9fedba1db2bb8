import { parseId } from '@hearth/ids';
import { type HomeItemSettled, HomeItemType } from '@hearth/proto/events/v1/events';
import { Delivery } from '@hearth/proto/messages/v1/messages';
import type { ReceivedEvent } from '@hearth/runtime';
import type { Context } from '../context.ts';
import { type Settled, settleDeliveries } from '../db/deliveries.ts';

/**
 * Records whether the other home took a message; the first outcome counts. Wakes no poll, since polls wait
 * for unread messages only.
 */
export const onHomeItemSettled = ({ database }: Pick<Context, 'database'>) => ({
  durable: 'home-items',
  types: ['home_item_settled'],
  async handle(events: ReceivedEvent[]): Promise<void> {
    const settled = new Map<string, Settled>();
    for (const { event } of events) {
      if (event.data.case !== 'homeItemSettled') continue;
      for (const item of [event.data.value, ...event.data.value.others]) {
        const outcome = readSettled(item);
        if (outcome !== null && !settled.has(outcome.id)) settled.set(outcome.id, outcome);
      }
    }
    if (settled.size > 0) await database.statement((tx) => settleDeliveries(tx, [...settled.values()]));
  },
});

function readSettled({ service, type, id: printed, delivered, why }: HomeItemSettled): Settled | null {
  const id = parseId('msg', printed);
  if (service !== 'messages' || type !== HomeItemType.MESSAGE || id === null) return null;
  return delivered
    ? { id, delivery: Delivery.DELIVERED, why: null }
    : { id, delivery: Delivery.UNDELIVERABLE, why };
}
