import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { RequestMessagesService } from '@hearth/proto/messages/v1/request_messages';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { listRequestMessages as readRequests } from '../db/request-messages.ts';
import { toRequestMessage, toViewer } from '../domain/to-request-message.ts';

const most = 1_001;

export const listRequestMessages =
  ({ database }: Context): UnaryHandler<typeof RequestMessagesService.method.listRequestMessages> =>
  async ({ kind, beforeAt, beforeId, limit, ...request }) => {
    const viewer = toViewer(request.viewer);
    if (viewer === null) return {};
    const rows = await readRequests(database.db, viewer, {
      kind: kind ?? null,
      before: beforeAt === undefined ? null : { at: timestampDate(beforeAt), id: beforeId },
      limit: Math.min(limit, most),
    });
    return { messages: rows.map(toRequestMessage) };
  };
