import { create } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import { type GroupPostsService, PostGroupRequestSchema } from '@hearth/proto/messages/v1/group_posts';
import type { UnaryHandler } from '@hearth/rpc';
import { postToGroup } from '../actions/post-to-group.ts';
import type { Context } from '../context.ts';

/** Posts an offer of times to a group, for decisions. */
export const postOffer =
  (context: Context): UnaryHandler<typeof GroupPostsService.method.postOffer> =>
  async ({ group, text, requestId }, call) => {
    await postToGroup(
      context,
      create(PostGroupRequestSchema, { id: printId('grp', group), text, requestId }),
      call,
    );
    return {};
  };
