import type { RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { UnaryHandler } from '@hearth/rpc';
import { rememberSenders } from '../actions/remember-senders.ts';
import { waitingItem } from '../actions/waiting-item.ts';
import type { Context } from '../context.ts';

/** Moves an item to the inbox, where an ask still waits for its answer; an invite is accepted, or passed on. */
export const acceptRequest =
  (context: Context): UnaryHandler<typeof RequestsService.method.acceptRequest> =>
  async ({ id, note = '', remember }, call) => {
    const item = await waitingItem(context, id, call);
    const { kind, parts } = item;
    const { status, next, wording } = await kind.source.acceptItem({ keys: parts, note }, { call });
    if (remember === true) await rememberSenders(context, item);
    return { id, status, next: next || undefined, wording };
  };
