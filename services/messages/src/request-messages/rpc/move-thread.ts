import type { RequestMessagesService } from '@hearth/proto/messages/v1/request_messages';
import type { UnaryHandler } from '@hearth/rpc';
import { acceptThread } from '../actions/accept-thread.ts';
import { waitingMessage } from '../actions/waiting-message.ts';
import type { Context } from '../context.ts';

export const moveThread =
  (context: Context): UnaryHandler<typeof RequestMessagesService.method.moveThread> =>
  async (request, call) => ({
    moved: await acceptThread(context, await waitingMessage(context, request), request.note, call),
  });
