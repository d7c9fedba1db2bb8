import { second } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { type HomeItemSettled, HomeItemType } from '@hearth/proto/events/v1/events';
import type { ReceivedEvent } from '@hearth/runtime';
import { dropGone } from '../actions/change-approval.ts';
import { endAct } from '../actions/end-act.ts';
import type { Context } from '../context.ts';
import { noteReached } from '../db/home-places.ts';
import type { RecipientRow } from '../db/recipients.ts';
import { approvalTopic } from '../domain/topics.ts';

/** The items that are settled with this one wait meanwhile. */
const askedMs = 2 * second;

/** Another home has an ask or an act of this one, or will not have it: whom it cannot reach counts as gone. */
export const onHomeItemSettled = (context: Context) => ({
  durable: 'home-items',
  types: ['home_item_settled'],
  async handle(events: readonly ReceivedEvent[]): Promise<void> {
    for (const { event } of events) {
      if (event.data.case !== 'homeItemSettled') continue;
      if (event.data.value.service !== 'approvals') continue;
      for (const item of [event.data.value, ...event.data.value.others]) await itemSettled(context, item);
    }
  },
});

async function itemSettled(
  context: Context,
  { type, id, home, delivered }: Pick<HomeItemSettled, 'type' | 'id' | 'home' | 'delivered'>,
): Promise<void> {
  if (type === HomeItemType.STATE) await stateSettled(context, { id, home, delivered });
  else if (type === HomeItemType.ACT && !delivered)
    await context.commit(async (tx) => await endAct(context, tx, await context.sentActs.giveUp(tx, id)));
}

async function stateSettled(
  context: Context,
  { id, home, delivered }: { id: string; home: string; delivered: boolean },
): Promise<void> {
  const ask = parseId('apr', id);
  const whole = ask === null ? null : await context.batched.find(ask);
  if (ask === null || whole === null) return;
  const there = whole.recipients.filter((one) => one.home === home);
  const held = there.filter(({ handling }) => handling === 'held');
  const gone = delivered ? await unknownThere(context, held) : held;
  const positions = gone.map(({ position }) => position);
  await context.commit(async (tx) => {
    const lost = await noteReached(tx, ask, { home, handling: 'undeliverable', positions });
    if ((await noteReached(tx, ask, { home, handling: 'delivered' })) || lost) tx.wake(approvalTopic(ask));
  });
  // Also those of a run that a crash cut off.
  if (gone.length > 0 || there.some(isUndeliverable))
    await dropGone(context, ask, (one) => one.home === home && isUndeliverable(one));
}

const isUndeliverable = ({ handling }: Pick<RecipientRow, 'handling'>) => handling === 'undeliverable';

/** A home answers for an item, not for each whom it is to: its cards tell which of several it does not know. */
async function unknownThere({ peers }: Context, held: readonly RecipientRow[]): Promise<RecipientRow[]> {
  if (held.length < 2) return [];
  const isUnknown = await Promise.all(
    held.map(({ address }) =>
      peers.homeQuestions.fetchHomeCard({ address }, { timeoutMs: askedMs }).then(
        () => false,
        // One that does not say so now has the ask all the same.
        (error: unknown) => isHearthError(error) && error.kind === 'not_found',
      ),
    ),
  );
  return held.filter((_, index) => isUnknown[index]);
}
