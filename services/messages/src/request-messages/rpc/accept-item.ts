import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { acceptThread } from '../actions/accept-thread.ts';
import { waitingItem } from '../actions/waiting-message.ts';
import type { Context } from '../context.ts';

export const acceptItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.acceptItem> =>
  async (request, call) => {
    await acceptThread(context, await waitingItem(context, request, call), request.note, call);
    return { status: 'inbox' };
  };
