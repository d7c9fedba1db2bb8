import type { RequestMessagesService } from '@hearth/proto/messages/v1/request_messages';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findRequestMessage as readRequest } from '../db/request-messages.ts';
import { toRequestMessage, toViewer } from '../domain/to-request-message.ts';

export const findRequestMessage =
  ({ database }: Context): UnaryHandler<typeof RequestMessagesService.method.findRequestMessage> =>
  async (request) => {
    const viewer = toViewer(request.viewer);
    const row = viewer === null ? null : await readRequest(database.db, viewer, request.id);
    return row === null ? {} : { message: toRequestMessage(row) };
  };
