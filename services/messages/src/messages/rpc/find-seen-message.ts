import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import { findMessage } from '../../shared/db/messages.ts';
import type { Context } from '../context.ts';

export const findSeenMessage =
  ({ database }: Context): UnaryHandler<typeof MessagesService.method.findSeenMessage> =>
  async ({ viewer, id }) => ({ seen: (await findMessage(database.db, viewer, id)) !== null });
