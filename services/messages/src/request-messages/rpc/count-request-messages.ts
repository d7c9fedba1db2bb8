import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { RequestMessagesService } from '@hearth/proto/messages/v1/request_messages';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { countRequestMessages as readCount } from '../db/request-messages.ts';
import { toViewer } from '../domain/to-request-message.ts';

const most = 1_000;

export const countRequestMessages =
  ({ database }: Context): UnaryHandler<typeof RequestMessagesService.method.countRequestMessages> =>
  async (request) => {
    const viewer = toViewer(request.viewer);
    if (viewer === null) return {};
    const { count, oldest } = await readCount(database.db, viewer, most);
    return { count, oldest: oldest === null ? undefined : timestampFromDate(oldest) };
  };
