import { receivesHomeItems } from '@hearth/home-acts';
import { HomeItemDecision, type HomeItemsService } from '@hearth/proto/federation/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { endAct } from '../actions/end-act.ts';
import { takeReturnedAct } from '../actions/returned-acts.ts';
import { takeErased } from '../actions/take-erased.ts';
import { takeState } from '../actions/take-state.ts';
import type { Context } from '../context.ts';

export const receiveHomeItems = (
  context: Context,
): UnaryHandler<typeof HomeItemsService.method.receiveHomeItems> =>
  receivesHomeItems({
    ...context,
    async takeState(item, standing, call) {
      const { refused, path = '', rule = '', ...taken } = await takeState(context, item, standing, call);
      if (refused === null) return { decision: HomeItemDecision.OK, ...taken };
      return { decision: HomeItemDecision.REJECTED, code: refused, path, rule };
    },
    takeErased: (item) => takeErased(context, item),
    actReturned: takeReturnedAct,
    actEnded: (tx, act) => endAct(context, tx, act),
  });
