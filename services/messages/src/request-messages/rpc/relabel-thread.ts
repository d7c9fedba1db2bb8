import { notFound } from '@hearth/errors';
import { waitingMessage } from '../actions/waiting-message.ts';
import type { RequestMessagesContext, RequestMessagesHandlers } from '../context.ts';
import { lockWaiting, relabelMessages } from '../db/request-messages.ts';

export const relabelThread =
  (context: Pick<RequestMessagesContext, 'database'>): RequestMessagesHandlers['relabelThread'] =>
  async (request) => {
    const { viewer, row } = await waitingMessage(context, request);
    const relabelled = await context.database.transaction(async (tx) => {
      const rows = await lockWaiting(tx, viewer, row.thread, row.recipient);
      if (rows.length === 0) throw notFound();
      return await relabelMessages(
        tx,
        rows.map(({ id }) => id),
        request.kind,
      );
    });
    return { relabelled };
  };
