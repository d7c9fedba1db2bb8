import { parseId } from '@hearth/ids';
import { type HomeItemSettled, HomeItemType } from '@hearth/proto/events/v1/events';
import type { ReceivedEvent } from '@hearth/runtime';
import { dropGone } from '../actions/change-approval.ts';
import { endAct } from '../actions/end-act.ts';
import type { Context } from '../context.ts';
import { noteReached } from '../db/home-places.ts';
import { approvalTopic } from '../domain/topics.ts';

/**
 * Handles the delivery report for an ask or act sent to another home: recipients it cannot reach count as
 * gone.
 */
export const onHomeItemSettled = (context: Context) => ({
  durable: 'home-items',
  types: ['home_item_settled'],
  async handle(events: readonly ReceivedEvent[]): Promise<void> {
    for (const { event } of events) {
      if (event.data.case !== 'homeItemSettled') continue;
      if (event.data.value.service !== 'approvals') continue;
      for (const item of [event.data.value, ...event.data.value.others]) await settleItem(context, item);
    }
  },
});

async function settleItem(context: Context, settled: Omit<HomeItemSettled, 'others'>): Promise<void> {
  const { type, id, delivered } = settled;
  if (type === HomeItemType.STATE) await settleState(context, settled);
  else if (type === HomeItemType.ACT && !delivered)
    await context.commit(async (tx) => await endAct(context, tx, await context.sentActs.giveUp(tx, id)));
}

async function settleState(
  context: Context,
  { id, home, delivered, unknown }: Pick<HomeItemSettled, 'id' | 'home' | 'delivered' | 'unknown'>,
): Promise<void> {
  const ask = parseId('apr', id);
  if (ask === null || (await context.batched.find(ask)) === null) return;
  await context.commit(async (tx) => {
    if (await noteReached(tx, ask, { home, delivered, unknown })) tx.wake(approvalTopic(ask));
  });
  if (!delivered || unknown.length > 0)
    await dropGone(
      context,
      ask,
      (recipient) => recipient.home === home && recipient.handling === 'undeliverable',
    );
}
