import type { RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { UnaryHandler } from '@hearth/rpc';
import { findBlockedTarget } from '../actions/find-target.ts';
import { blockerOf } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { deleteBlocks } from '../db/blocks.ts';
import { blockEvent } from '../domain/events.ts';

/** Lifts a block. Items that it ended stay ended. */
export const unblock =
  (context: Context): UnaryHandler<typeof RequestsService.method.unblock> =>
  async (request, call) => {
    const { caller } = call;
    const owner = blockerOf(caller);
    const { target, targetId } = await findBlockedTarget(context, request.target, call);
    const lifted = await context.commit(async (tx) => {
      const deleted = await deleteBlocks(tx, owner, target, targetId);
      const awaited = deleted.map((row) => context.commit.awaitSettled(blockEvent('unblocked', row, caller)));
      tx.announce(...awaited.map(({ announcement }) => announcement));
      return awaited.map(({ settled }) => settled);
    });
    const isDone = (await Promise.all(lifted)).every(Boolean);
    return { unblocked: lifted.length > 0, ...(!isDone && { pending: true }) };
  };
