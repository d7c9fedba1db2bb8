import { compose } from '../actions/compose.ts';
import type { Context } from '../context.ts';
import type { MessagesHandlers } from './index.ts';

export const sendMessage =
  (context: Context): MessagesHandlers['sendMessage'] =>
  (request, call) =>
    compose(context, { operation: 'send_message', ...request }, call);
