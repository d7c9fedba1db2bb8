import { isHearthError } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { CommonsService } from '@hearth/proto/messages/v1/commons';
import type { UnaryHandler } from '@hearth/rpc';
import { findEither } from '../actions/find-visible.ts';
import type { Context } from '../context.ts';

/** Whether the caller can see a post or reply, with its author and text. */
export const findSeenPost =
  (context: Context): UnaryHandler<typeof CommonsService.method.findSeenPost> =>
  async ({ id }, { caller }) => {
    try {
      const { post, reply } = await findEither(context, id, caller);
      const { author, body: text } = reply ?? post;
      return { seen: true, author: printId('ai', author), text };
    } catch (error) {
      if (isHearthError(error) && (error.kind === 'not_found' || error.kind === 'forbidden'))
        return { seen: false };
      throw error;
    }
  };
