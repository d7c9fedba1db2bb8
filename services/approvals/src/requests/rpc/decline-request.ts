import type { RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { UnaryHandler } from '@hearth/rpc';
import { remembered } from '../actions/remembered.ts';
import { waitingItem } from '../actions/waiting-item.ts';
import type { Context } from '../context.ts';

/** The sender gets a polite no: an ask is answered with it, a message replied to, an invite sent back. */
export const declineRequest =
  (context: Context): UnaryHandler<typeof RequestsService.method.declineRequest> =>
  async ({ id, note = '', remember }, call) => {
    const item = await waitingItem(context, id, call);
    const { kind, parts } = item;
    await kind.source.declineItem({ keys: parts, note }, { call });
    if (remember === true) await remembered(context, item);
    return { id, status: 'declined' };
  };
