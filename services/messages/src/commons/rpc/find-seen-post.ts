import { isHearthError } from '@hearth/errors';
import type { CommonsService } from '@hearth/proto/messages/v1/commons';
import type { UnaryHandler } from '@hearth/rpc';
import { findEither } from '../actions/find-visible.ts';
import type { Context } from '../context.ts';

/** Whether the caller sees a post or a reply. */
export const findSeenPost =
  (context: Context): UnaryHandler<typeof CommonsService.method.findSeenPost> =>
  async ({ id }, { caller }) => {
    try {
      await findEither(context, id, caller);
      return { seen: true };
    } catch (error) {
      if (isHearthError(error) && (error.kind === 'not_found' || error.kind === 'forbidden'))
        return { seen: false };
      throw error;
    }
  };
