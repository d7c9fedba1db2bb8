import { create } from '@bufbuild/protobuf';
import { internal } from '@hearth/errors';
import type { Verdict } from '@hearth/home-acts';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import {
  type HomeItem,
  HomeItemDecision,
  type HomeItemsService,
  ReceiveHomeItemsRequestSchema,
} from '@hearth/proto/federation/v1/items';
import type { Call, UnaryHandler } from '@hearth/rpc';
import type { InTurn, SenderHome } from '../../messages/module.ts';
import { createAllowance } from '../actions/allowance.ts';
import { createLeaning, createPairs } from '../actions/pairs.ts';
import { createSenders, type Senders } from '../actions/senders.ts';
import { takeBack } from '../actions/take-back.ts';
import { type Taken, takeMessage } from '../actions/take-message.ts';
import type { Context } from '../context.ts';

/**
 * Handles items concurrently, so that they share statements. An item that may depend on an earlier one, such
 * as an answer in the same push as its message, starts after those from the same party to the same address.
 */
export const receiveHomeItems =
  (context: Context): UnaryHandler<typeof HomeItemsService.method.receiveHomeItems> =>
  async ({ items, domain, limited, firstContactsLeft: left }, call) => {
    const allowance = createAllowance(left);
    const senders = createSenders(context, call);
    const inOrder = createPairs();
    const leans = createLeaning();
    // Otherwise an item may wait for an allowance held by a later item of its pair.
    const roomy = left === 0 || left >= items.reduce((count, { to }) => count + to.length, 0);
    const takeOne = (item: HomeItem) => {
      const alone = !roomy || item.type !== HomeItemType.MESSAGE || leans(item);
      return inOrder(item, alone, (inTurn) =>
        allowance.within(item.to.length, (firstContactsLeft) =>
          take(context, item, { standing: { domain, limited, firstContactsLeft }, senders, inTurn }, call),
        ),
      );
    };
    const taken: Promise<Taken | Decided>[] = [];
    for (const item of items) {
      // It may erase any earlier message, even another party's.
      if (item.type === HomeItemType.ERASED) await Promise.allSettled(taken);
      const taking = takeOne(item);
      // A failure is thrown below, once the concurrent items have ended too.
      taking.catch(() => undefined);
      taken.push(taking);
      if (item.type === HomeItemType.ERASED) await taking;
    }
    await Promise.allSettled(taken);
    return { verdicts: (await Promise.all(taken)).map(verdictOf) };
  };

/** The verdict on an item other than a message. */
type Decided = Verdict & { firstContacts: number };

function verdictOf(taken: Taken | Decided): Verdict {
  if (!('refused' in taken)) return taken;
  const { firstContacts, refused } = taken;
  if (refused === null) return { decision: HomeItemDecision.OK, firstContacts };
  const { path = '', rule = '' } = 'path' in taken ? taken : {};
  return { decision: HomeItemDecision.REJECTED, code: refused, path, rule };
}

async function take(
  context: Context,
  item: HomeItem,
  by: { standing: SenderHome; senders: Senders; inTurn: InTurn },
  call: Call,
): Promise<Taken | Decided> {
  switch (item.type) {
    case HomeItemType.MESSAGE:
      return await takeMessage(context, item, by, call);
    case HomeItemType.ERASED:
      await takeBack(context, item);
      return { refused: null, firstContacts: 0 };
    default: {
      const { verdicts = [] } = await context.things.receive(
        create(ReceiveHomeItemsRequestSchema, { ...by.standing, items: [item] }),
        call,
      );
      const [verdict] = verdicts;
      if (verdict === undefined) throw internal('an item was taken without a verdict');
      return { ...verdict, firstContacts: verdict.firstContacts ?? 0 } as Decided;
    }
  }
}
