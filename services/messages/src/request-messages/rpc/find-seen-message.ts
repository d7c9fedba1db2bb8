import { findMessage } from '../../messages/db/messages.ts';
import type { RequestMessagesContext, RequestMessagesHandlers } from '../context.ts';

export const findSeenMessage =
  ({ database }: Pick<RequestMessagesContext, 'database'>): RequestMessagesHandlers['findSeenMessage'] =>
  async ({ viewer, id }) => ({ seen: (await findMessage(database.db, viewer, id)) !== null });
