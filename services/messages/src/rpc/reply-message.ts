import type { Context } from '../context.ts';
import { compose } from '../send/compose.ts';
import type { MessagesHandlers } from './index.ts';

export const replyMessage =
  (context: Context): MessagesHandlers['replyMessage'] =>
  ({ id, text, title, data, requestId }, call) =>
    compose(context, { operation: 'reply_message', replyTo: id, text, title, data, requestId }, call);
