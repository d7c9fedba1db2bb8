import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Context } from '../context.ts';
import { countUnread as readCount } from '../db/messages.ts';
import type { MessagesHandlers } from './index.ts';

export const countUnread =
  ({ database }: Context): MessagesHandlers['countUnread'] =>
  async ({ owner }) => {
    const { count, oldest } = await readCount(database.db, owner);
    return { count, oldest: oldest === null ? undefined : timestampFromDate(oldest) };
  };
