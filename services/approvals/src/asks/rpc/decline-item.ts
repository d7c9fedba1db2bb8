import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { answerTo } from '../actions/answer.ts';
import { itemOf } from '../actions/item-of.ts';
import type { Context } from '../context.ts';

/** Declining the item answers the ask with no. */
export const declineItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.declineItem> =>
  async ({ keys, note }, { caller }) => {
    await answerTo(context, itemOf(keys).id, { decision: 'declined', note: note || undefined }, caller);
    return {};
  };
