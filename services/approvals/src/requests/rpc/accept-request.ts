import { nowDate } from '@hearth/clock';
import type { RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { UnaryHandler } from '@hearth/rpc';
import { rememberSender } from '../../contact-rules/module.ts';
import { waitingItem } from '../actions/waiting-item.ts';
import type { Context } from '../context.ts';

/** Moves it to the inbox, where an ask still waits for its answer; an invite is followed, or passed on. */
export const acceptRequest =
  (context: Context): UnaryHandler<typeof RequestsService.method.acceptRequest> =>
  async ({ id, note = '', remember }, call) => {
    const { clock, database } = context;
    const { kind, parts, senders } = await waitingItem(context, id, call);
    const { status, next } = await kind.source.acceptItem({ keys: parts, note }, { call });
    if (remember === true) {
      for (const sender of senders)
        await database.statement((tx) => rememberSender(tx, parts[0].owner, sender, nowDate(clock)));
    }
    return { id, status, next: next || undefined };
  };
