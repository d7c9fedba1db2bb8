import type { RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { UnaryHandler } from '@hearth/rpc';
import { waitingItem } from '../actions/waiting-item.ts';
import type { Context } from '../context.ts';

/** The sender gets a polite no: an ask is answered with it, a message replied to, an invite sent back. */
export const declineRequest =
  (context: Context): UnaryHandler<typeof RequestsService.method.declineRequest> =>
  async ({ id, note = '' }, call) => {
    const { kind, parts } = await waitingItem(context, id, call);
    await kind.source.declineItem({ keys: parts, note }, { call });
    return { id, status: 'declined' };
  };
