import { badField } from '@hearth/errors';
import { parseCursor, printCursor } from '../../shared/domain/cursor.ts';
import { pageSize } from '../../shared/domain/page-size.ts';
import type { Context } from '../context.ts';
import { listThreads as readThreads } from '../db/threads.ts';
import { mailboxOf } from '../domain/mailbox-of.ts';
import { toThread } from '../domain/to-proto.ts';
import type { MessagesHandlers } from './index.ts';

export const listThreads =
  (context: Context): MessagesHandlers['listThreads'] =>
  async (request, { caller }) => {
    const limit = pageSize(context, request.limit);
    const rows = await readThreads(
      context.database.db,
      mailboxOf(caller),
      beforeOf(request.cursor),
      limit + 1,
    );
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const more = rows.length > limit && last !== undefined;
    const seen = await context.shownPeople.to(
      caller,
      shown.map((row) => row.other_address),
    );
    return {
      threads: shown.map((row) => toThread(row, seen)),
      nextCursor: more ? printCursor({ direction: 'before', seq: last.last_seq }) : undefined,
    };
  };

/** Lists that only go on towards older entries take only such cursors. */
export function beforeOf(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  const { direction, seq } = parseCursor(cursor);
  if (direction !== 'before') throw badField('cursor', 'belongs to another list');
  return seq;
}
