import type { RequestMessagesService } from '@hearth/proto/messages/v1/request_messages';
import type { UnaryHandler } from '@hearth/rpc';
import { relabelThread as relabel } from '../actions/relabel-thread.ts';
import { waitingMessage } from '../actions/waiting-message.ts';
import type { Context } from '../context.ts';

export const relabelThread =
  (context: Context): UnaryHandler<typeof RequestMessagesService.method.relabelThread> =>
  async (request) => {
    const rows = await relabel(context, await waitingMessage(context, request), request.kind);
    return { relabelled: rows.length };
  };
