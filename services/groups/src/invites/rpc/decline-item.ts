import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { waitingInvitation } from '../actions/waiting-invitation.ts';
import { withdrawOrDecline } from '../actions/withdraw-join-request.ts';
import type { Context } from '../context.ts';

export const declineItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.declineItem> =>
  async ({ keys, note, silent }, { caller }) => {
    const { invite, invited } = await waitingInvitation(context, keys[0]?.id ?? '', caller);
    await withdrawOrDecline(context, invite, invited.facts, { note, silent }, caller);
    return {};
  };
