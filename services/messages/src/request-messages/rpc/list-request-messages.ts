import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { RequestMessagesContext, RequestMessagesHandlers } from '../context.ts';
import { listRequestMessages as readRequests } from '../db/request-messages.ts';
import { toRequestMessage, toViewer } from '../domain/to-request-message.ts';

const most = 1_001;

export const listRequestMessages =
  ({ database }: Pick<RequestMessagesContext, 'database'>): RequestMessagesHandlers['listRequestMessages'] =>
  async ({ viewer, kind, beforeAt, beforeId, limit }) => {
    const looking = toViewer(viewer);
    if (looking === null) return {};
    const rows = await readRequests(database.db, looking, {
      kind: kind ?? null,
      before: beforeAt === undefined ? null : { at: timestampDate(beforeAt), id: beforeId },
      limit: Math.min(limit, most),
    });
    return { messages: rows.map(toRequestMessage) };
  };
