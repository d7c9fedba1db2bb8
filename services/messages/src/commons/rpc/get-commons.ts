import { nowDate } from '@hearth/clock';
import type { CommonsService } from '@hearth/proto/messages/v1/commons';
import type { UnaryHandler } from '@hearth/rpc';
import { findEither } from '../actions/find-visible.ts';
import { pageOfReplies } from '../actions/page-of-replies.ts';
import type { Context } from '../context.ts';
import { toPost } from '../domain/to-proto.ts';

/** A post with its replies; a reply's id returns its post. */
export const getCommons =
  (context: Context): UnaryHandler<typeof CommonsService.method.getCommons> =>
  async (request, { caller }) => {
    const visible = await findEither(context, request.id, caller);
    const page = await pageOfReplies(context, visible, request, caller);
    return { post: toPost(visible.post, { id: caller.id, now: nowDate(context.clock) }), ...page };
  };
