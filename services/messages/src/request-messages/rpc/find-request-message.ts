import type { RequestMessagesContext, RequestMessagesHandlers } from '../context.ts';
import { findRequestMessage as readRequest } from '../db/request-messages.ts';
import { toRequestMessage, toViewer } from '../domain/to-request-message.ts';

export const findRequestMessage =
  ({ database }: Pick<RequestMessagesContext, 'database'>): RequestMessagesHandlers['findRequestMessage'] =>
  async ({ viewer, id }) => {
    const looking = toViewer(viewer);
    const row = looking === null ? null : await readRequest(database.db, looking, id);
    return row === null ? {} : { message: toRequestMessage(row) };
  };
