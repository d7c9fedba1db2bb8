import { notFound } from '@hearth/errors';
import type { RequestMessagesService } from '@hearth/proto/messages/v1/request_messages';
import type { UnaryHandler } from '@hearth/rpc';
import { waitingMessage } from '../actions/waiting-message.ts';
import type { Context } from '../context.ts';
import { lockWaiting, relabelMessages } from '../db/request-messages.ts';

export const relabelThread =
  (context: Context): UnaryHandler<typeof RequestMessagesService.method.relabelThread> =>
  async (request) => {
    const { viewer, row } = await waitingMessage(context, request);
    return await context.database.transaction(async (tx) => {
      const rows = await lockWaiting(tx, viewer, row.thread, row.recipient);
      if (rows.length === 0) throw notFound();
      return { relabelled: await relabelMessages(tx, rows, request.kind) };
    });
  };
