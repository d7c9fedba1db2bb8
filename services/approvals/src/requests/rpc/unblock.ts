import type { RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { UnaryHandler } from '@hearth/rpc';
import { findBlockedTarget } from '../actions/find-target.ts';
import { blockerOf } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { deleteBlocks } from '../db/blocks.ts';
import { blockEvent } from '../domain/events.ts';

/** Items that the block ended stay so. */
export const unblock =
  (context: Context): UnaryHandler<typeof RequestsService.method.unblock> =>
  async (request, call) => {
    const { caller } = call;
    const owner = blockerOf(caller);
    const { target, targetId } = await findBlockedTarget(context, request.target, call);
    const rows = await context.commit(async (tx) => {
      const deleted = await deleteBlocks(tx, owner, target, targetId);
      tx.announce(...deleted.map((row) => blockEvent('unblocked', row, caller)));
      return deleted;
    });
    return { unblocked: rows.length > 0 };
  };
