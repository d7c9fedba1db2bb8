import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import { sendDraft } from '../actions/send-draft.ts';
import type { Context } from '../context.ts';

export const replyMessage =
  (context: Context): UnaryHandler<typeof MessagesService.method.replyMessage> =>
  ({ id, text, title, data, requestId }, call) =>
    sendDraft(context, { operation: 'reply_message', replyTo: id, text, title, data, requestId }, call);
