import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { RequestMessagesContext, RequestMessagesHandlers } from '../context.ts';
import { countRequestMessages as readCount } from '../db/request-messages.ts';
import { toViewer } from '../domain/to-request-message.ts';

const most = 1_000;

export const countRequestMessages =
  ({ database }: Pick<RequestMessagesContext, 'database'>): RequestMessagesHandlers['countRequestMessages'] =>
  async ({ viewer }) => {
    const looking = toViewer(viewer);
    if (looking === null) return {};
    const { count, oldest } = await readCount(database.db, looking, most);
    return { count, oldest: oldest === null ? undefined : timestampFromDate(oldest) };
  };
