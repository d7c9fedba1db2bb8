import type { Verdict } from '@hearth/home-acts';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { type HomeItem, HomeItemDecision, type HomeItemsService } from '@hearth/proto/federation/v1/items';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { endAct } from '../actions/end-act.ts';
import { takeErased } from '../actions/take-erased.ts';
import { type Standing, takeState } from '../actions/take-state.ts';
import type { Context } from '../context.ts';

/** One after the other: a state may come with what followed it. */
export const receiveHomeItems =
  (context: Context): UnaryHandler<typeof HomeItemsService.method.receiveHomeItems> =>
  async ({ items, domain, limited, firstContactsLeft: left }, call) => {
    const verdicts: Verdict[] = [];
    let firstContactsLeft = left;
    for (const item of items) {
      const verdict = await take(context, item, { domain, limited, firstContactsLeft }, call);
      firstContactsLeft -= verdict.firstContacts ?? 0;
      verdicts.push(verdict);
    }
    return { verdicts };
  };

const ok: Verdict = { decision: HomeItemDecision.OK };

async function take(context: Context, item: HomeItem, standing: Standing, call: Call): Promise<Verdict> {
  const { commit, receivedActs, sentActs } = context;
  switch (item.type) {
    case HomeItemType.STATE: {
      const { refused, firstContacts } = await takeState(context, item, standing, call);
      if (refused === null) return { ...ok, firstContacts };
      return { decision: HomeItemDecision.REJECTED, code: refused };
    }
    case HomeItemType.ACT:
      return await receivedActs.take(item, call);
    case HomeItemType.RESULT:
      await commit(async (tx) => await endAct(context, tx, await sentActs.settle(tx, item)));
      return ok;
    case HomeItemType.ERASED:
      await takeErased(context, item);
      return ok;
    default:
      return { decision: HomeItemDecision.REJECTED, code: 'unknown_type' };
  }
}
