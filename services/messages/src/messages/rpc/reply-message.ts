import { compose } from '../actions/compose.ts';
import type { Context } from '../context.ts';
import type { MessagesHandlers } from './index.ts';

export const replyMessage =
  (context: Context): MessagesHandlers['replyMessage'] =>
  ({ id, text, title, data, requestId }, call) =>
    compose(context, { operation: 'reply_message', replyTo: id, text, title, data, requestId }, call);
