import { notFound } from '@hearth/errors';
import type { CommonsService } from '@hearth/proto/messages/v1/commons';
import type { UnaryHandler } from '@hearth/rpc';
import { requireAdult } from '../actions/callers.ts';
import { findVisible } from '../actions/find-visible.ts';
import { pageOfReplies } from '../actions/page-of-replies.ts';
import type { Context } from '../context.ts';

/** The replies of a conversation. */
export const listReplies =
  (context: Context): UnaryHandler<typeof CommonsService.method.listReplies> =>
  async (request, { caller }) => {
    requireAdult(caller);
    if (!request.conversation.startsWith('cnv_')) throw notFound();
    return await pageOfReplies(
      context,
      await findVisible(context, request.conversation, caller),
      request,
      caller,
    );
  };
