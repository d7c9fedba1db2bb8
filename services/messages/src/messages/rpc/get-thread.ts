import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { printCursor } from '../../shared/domain/cursor.ts';
import { pageSize } from '../../shared/domain/page-size.ts';
import type { Context } from '../context.ts';
import { listThreadMessages } from '../db/messages.ts';
import { findThread } from '../db/threads.ts';
import { mailboxOf } from '../domain/mailbox-of.ts';
import { sidesOf, toMessage, toThread } from '../domain/to-proto.ts';
import type { MessagesHandlers } from './index.ts';
import { beforeOf } from './list-threads.ts';

export const getThread =
  (context: Context): MessagesHandlers['getThread'] =>
  async (request, { caller }) => {
    const { db } = context.database;
    const viewer = mailboxOf(caller);
    const id = parseId('thr', request.id);
    const thread = id === null ? null : await findThread(db, viewer, id);
    if (thread === null) throw notFound();
    const limit = pageSize(context, request.limit);
    const rows = await listThreadMessages(db, viewer, thread.id, beforeOf(request.cursor), limit + 1);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const more = rows.length > limit && last !== undefined;
    const seen = await context.shownPeople.to(caller, [thread.other_address, ...shown.flatMap(sidesOf)]);
    return {
      thread: toThread(thread, seen),
      messages: shown.map((row) => toMessage(row, viewer, seen)),
      nextCursor: more ? printCursor({ direction: 'before', seq: last.thread_seq }) : undefined,
    };
  };
