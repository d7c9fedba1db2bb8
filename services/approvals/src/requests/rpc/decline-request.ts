import type { RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { UnaryHandler } from '@hearth/rpc';
import { rememberSenders } from '../actions/remember-senders.ts';
import { waitingItem } from '../actions/waiting-item.ts';
import type { Context } from '../context.ts';

/** Declines politely: an ask is answered with no, a message with a reply, an invite is sent back. */
export const declineRequest =
  (context: Context): UnaryHandler<typeof RequestsService.method.declineRequest> =>
  async ({ id, note = '', remember }, call) => {
    const item = await waitingItem(context, id, call);
    const { kind, parts } = item;
    await kind.source.declineItem({ keys: parts, note }, { call });
    if (remember === true) await rememberSenders(context, item);
    return { id, status: 'declined' };
  };
