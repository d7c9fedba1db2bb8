import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { declineThread } from '../actions/decline-thread.ts';
import { waitingItem } from '../actions/waiting-message.ts';
import type { Context } from '../context.ts';

export const declineItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.declineItem> =>
  async (request, call) => {
    await declineThread(context, await waitingItem(context, request, call), request, call);
    return {};
  };
