import type { RequestMessagesService } from '@hearth/proto/messages/v1/request_messages';
import type { UnaryHandler } from '@hearth/rpc';
import { findMessage } from '../../shared/db/messages.ts';
import type { Context } from '../context.ts';

export const findSeenMessage =
  ({ database }: Context): UnaryHandler<typeof RequestMessagesService.method.findSeenMessage> =>
  async ({ viewer, id }) => ({ seen: (await findMessage(database.db, viewer, id)) !== null });
