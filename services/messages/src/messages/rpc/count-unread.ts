import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { countUnread as readCount } from '../db/messages.ts';

export const countUnread =
  ({ database }: Context): UnaryHandler<typeof MessagesService.method.countUnread> =>
  async ({ owner }) => {
    const { count, oldest } = await readCount(database.db, owner);
    return { count, ...(oldest !== null && { oldest: timestampFromDate(oldest) }) };
  };
