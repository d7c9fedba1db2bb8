import type { RequestMessagesService } from '@hearth/proto/messages/v1/request_messages';
import type { UnaryHandler } from '@hearth/rpc';
import { declineThread as decline } from '../actions/decline-thread.ts';
import { waitingMessage } from '../actions/waiting-message.ts';
import type { Context } from '../context.ts';

export const declineThread =
  (context: Context): UnaryHandler<typeof RequestMessagesService.method.declineThread> =>
  async (request, call) => ({
    declined: await decline(context, await waitingMessage(context, request), request, call),
  });
