import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { UnaryHandler } from '@hearth/rpc';
import { findMailed, showMailed } from '../actions/find-mailed.ts';
import type { Context } from '../context.ts';

/** For the page that a mail links to. */
export const findByMailKey =
  (context: Context): UnaryHandler<typeof ApprovalsService.method.findByMailKey> =>
  async ({ approval, keyHash }) => {
    const found = await findMailed(context, approval, keyHash);
    return found === null ? {} : await showMailed(context, found);
  };
