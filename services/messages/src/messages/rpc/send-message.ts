import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import { sendDraft } from '../actions/send-draft.ts';
import type { Context } from '../context.ts';

export const sendMessage =
  (context: Context): UnaryHandler<typeof MessagesService.method.sendMessage> =>
  (request, call) =>
    sendDraft(context, { operation: 'send_message', ...request }, call);
