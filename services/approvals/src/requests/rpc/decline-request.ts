import type { RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { UnaryHandler } from '@hearth/rpc';
import { findWaiting } from '../actions/find-waiting.ts';
import type { Context } from '../context.ts';

/** The sender gets a polite no: an ask is answered with it, a message replied to, an invite sent back. */
export const declineRequest =
  (context: Context): UnaryHandler<typeof RequestsService.method.declineRequest> =>
  async ({ id, note }, call) => {
    const { asks, invitations, messages } = context;
    const found = await findWaiting(context, id, call);
    const { person, holders } = found.viewer;
    switch (found.type) {
      case 'approval':
        await asks.answer(found.places[0]!.id, { decision: 'declined', note }, call.caller);
        break;
      case 'message':
        await messages.declineThread(
          { viewer: { person, holders }, message: found.message.id, note: note ?? '' },
          { call },
        );
        break;
      case 'invite':
        await invitations.declineInvitation({ id: found.invitation.id, note: note ?? '' }, { call });
    }
    return { id, status: 'declined' };
  };
