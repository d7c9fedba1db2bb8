import { HomeItemType } from '@hearth/proto/events/v1/events';
import { type HomeItem, HomeItemDecision, type HomeItemsService } from '@hearth/proto/federation/v1/items';
import type { Call, UnaryHandler } from '@hearth/rpc';
import type { Standing } from '../../messages/module.ts';
import { createAllowance } from '../actions/allowance.ts';
import { createPairs } from '../actions/pairs.ts';
import { createSenders, type Senders } from '../actions/senders.ts';
import { takeBack } from '../actions/take-back.ts';
import { type Taken, takeMessage } from '../actions/take-message.ts';
import type { Context } from '../context.ts';

/**
 * Takes the items from one party to one address one after the other, for an answer may come with the message that it answers. All
 * others are taken at the same time, so that their statements go together.
 */
export const receiveHomeItems =
  (context: Context): UnaryHandler<typeof HomeItemsService.method.receiveHomeItems> =>
  async ({ items, domain, limited, firstContactsLeft: left }, call) => {
    const allowance = createAllowance(left);
    const senders = createSenders(context, call);
    const inOrder = createPairs();
    const takeOne = (item: HomeItem) =>
      inOrder(item, () =>
        allowance.within(item.to.length, (firstContactsLeft) =>
          take(context, item, { standing: { domain, limited, firstContactsLeft }, senders }, call),
        ),
      );
    const taken: Promise<Taken>[] = [];
    for (const item of items) {
      // It may erase any message before it, also one of another party.
      if (item.type === HomeItemType.ERASED) await Promise.allSettled(taken);
      const one = takeOne(item);
      // A failure is thrown below, once those beside it have ended as well.
      one.catch(() => undefined);
      taken.push(one);
      if (item.type === HomeItemType.ERASED) await one;
    }
    await Promise.allSettled(taken);
    const verdicts = (await Promise.all(taken)).map(({ refused, firstContacts }) =>
      refused === null
        ? { decision: HomeItemDecision.OK, firstContact: firstContacts > 0 }
        : { decision: HomeItemDecision.REJECTED, code: refused },
    );
    return { verdicts };
  };

async function take(
  context: Context,
  item: HomeItem,
  { standing, senders }: { standing: Standing; senders: Senders },
  call: Call,
): Promise<Taken> {
  switch (item.type) {
    case HomeItemType.MESSAGE:
      return await takeMessage(context, item, { standing, senders }, call);
    case HomeItemType.ERASED:
      await takeBack(context, item);
      return { refused: null, firstContacts: 0 };
    default:
      return { refused: 'unknown_type', firstContacts: 0 };
  }
}
