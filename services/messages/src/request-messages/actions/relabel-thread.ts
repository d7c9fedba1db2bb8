import { notFound } from '@hearth/errors';
import type { Context } from '../context.ts';
import { lockWaiting, type RequestRow, relabelMessages } from '../db/request-messages.ts';
import type { Waiting } from './waiting-message.ts';

/** Notes the kind as which what waits of a thread counts. */
export function relabelThread(
  { database }: Context,
  { viewer, row }: Waiting,
  kind: number,
): Promise<RequestRow[]> {
  return database.transaction(async (tx) => {
    const rows = await lockWaiting(tx, viewer, row.thread, row.recipient);
    if (rows.length === 0) throw notFound();
    await relabelMessages(tx, rows, kind);
    return rows.map((each) => ({ ...each, counts_as: kind }));
  });
}
