import { cursorOf, readPage } from '@hearth/paging';
import type { RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { UnaryHandler } from '@hearth/rpc';
import { showBlocks } from '../actions/show-blocks.ts';
import { blockerOf } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { listBlocks as readBlocks } from '../db/blocks.ts';

const cursor = cursorOf({ at: 'time', target: 'text' });

/** Newest first. */
export const listBlocks =
  (context: Context): UnaryHandler<typeof RequestsService.method.listBlocks> =>
  async (request, { caller }) => {
    const owner = blockerOf(caller);
    const { rows, nextCursor } = await readPage(context, request, {
      cursor,
      find: (after, limit) => readBlocks(context.database.db, owner, after, limit),
      placeOf: (row) => row,
    });
    return { blocks: await showBlocks(context, rows, caller), nextCursor };
  };
