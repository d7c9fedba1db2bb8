import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { readPage } from '@hearth/paging';
import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import { olderCursor } from '../../shared/domain/cursor.ts';
import { nameHere } from '../actions/name-here.ts';
import { showMessages, showThreads } from '../actions/show-sides.ts';
import type { Context } from '../context.ts';
import { listThreadMessages } from '../db/messages.ts';
import { findThread } from '../db/threads.ts';

export const getThread =
  (context: Context): UnaryHandler<typeof MessagesService.method.getThread> =>
  async (request, call) => {
    const { caller } = call;
    const { db } = context.database;
    const viewer = caller.id;
    const id = parseId('thr', (await nameHere(context, request, viewer, { threads: true })).id);
    const thread = id === null ? null : await findThread(db, viewer, id);
    if (thread === null) throw notFound();
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: olderCursor,
      find: (before, limit) => listThreadMessages(db, viewer, thread.id, before, limit),
      placeOf: ({ thread_seq }) => thread_seq,
    });
    const [shown, messages] = await Promise.all([
      showThreads(context, [thread], call),
      showMessages(context, rows, caller),
    ]);
    return { thread: shown[0], messages, nextCursor };
  };
