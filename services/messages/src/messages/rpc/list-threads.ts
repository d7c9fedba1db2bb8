import { readPage } from '@hearth/paging';
import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import { olderCursor } from '../../shared/domain/cursor.ts';
import { showSides } from '../actions/show-sides.ts';
import type { Context } from '../context.ts';
import { listThreads as readThreads } from '../db/threads.ts';
import { mailboxOf } from '../domain/mailbox-of.ts';
import { toThread } from '../domain/to-proto.ts';

export const listThreads =
  (context: Context): UnaryHandler<typeof MessagesService.method.listThreads> =>
  async (request, { caller }) => {
    const viewer = mailboxOf(caller);
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: olderCursor,
      find: (before, limit) => readThreads(context.database.db, viewer, before, limit),
      placeOf: ({ last_seq }) => last_seq,
    });
    const stored = rows.map(({ other_address }) => other_address);
    const sides = await showSides(context, stored, caller);
    return { threads: rows.map((row) => toThread(row, sides)), nextCursor };
  };
