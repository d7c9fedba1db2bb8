import { readPage } from '@hearth/paging';
import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import { olderCursor } from '../../shared/domain/cursor.ts';
import { showThreads } from '../actions/show-sides.ts';
import type { Context } from '../context.ts';
import { listThreads as readThreads } from '../db/threads.ts';

export const listThreads =
  (context: Context): UnaryHandler<typeof MessagesService.method.listThreads> =>
  async (request, call) => {
    const viewer = call.caller.id;
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: olderCursor,
      find: (before, limit) => readThreads(context.database.db, viewer, before, limit),
      placeOf: ({ last_seq }) => last_seq,
    });
    return { threads: await showThreads(context, rows, call), nextCursor };
  };
