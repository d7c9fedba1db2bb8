import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { Context } from '../context.ts';
import { listThreadMessages } from '../db/messages.ts';
import { findThread } from '../db/threads.ts';
import { printCursor } from '../domain/cursor.ts';
import type { MessagesHandlers } from './index.ts';
import { beforeOf } from './list-threads.ts';
import { pageSize } from './page-size.ts';
import { toMessage, toThread } from './to-proto.ts';

export const getThread =
  (context: Context): MessagesHandlers['getThread'] =>
  async (request, { caller }) => {
    const { db } = context.database;
    const id = parseId('thr', request.id);
    const thread = id === null ? null : await findThread(db, caller.id, id);
    if (thread === null) throw notFound();
    const limit = pageSize(context, request.limit);
    const rows = await listThreadMessages(db, caller.id, thread.id, beforeOf(request.cursor), limit + 1);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const more = rows.length > limit && last !== undefined;
    return {
      thread: toThread(thread),
      messages: shown.map((row) => toMessage(row, caller.id)),
      nextCursor: more ? printCursor({ direction: 'before', seq: last.thread_seq }) : undefined,
    };
  };
