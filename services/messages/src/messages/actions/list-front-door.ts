import { parseId } from '@hearth/ids';
import { placeCursor, readPage } from '@hearth/paging';
import type { ListMessagesRequest } from '@hearth/proto/messages/v1/messages';
import type { Call } from '@hearth/rpc';
import { findMessage } from '../../shared/db/messages.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { countUnread, listAtFrontDoor } from '../db/messages.ts';
import { readSender } from './correspondents.ts';
import { readSince } from './read-since.ts';
import { showMessages } from './show-sides.ts';

/** Messages waiting at the front door, newest first, for its AI and the AI's person. */
export async function listFrontDoor(context: Context, request: ListMessagesRequest, call: Call) {
  const { db } = context.database;
  const viewer = call.caller.id;
  const momentOf = async (id: string) => (await findMessage(db, viewer, id))?.at ?? null;
  const { rows, nextCursor } = await readPage(context, request, {
    cursor: placeCursor,
    find: async (before, limit) =>
      await listAtFrontDoor(db, viewer, {
        before,
        after: await readSince(request.since, momentOf, async (time) => time),
        thread: request.thread === undefined ? null : parseId('thr', request.thread),
        from: request.from === undefined ? null : await readSender(context, request.from, call),
        limit,
      }),
    placeOf: ({ at, id }) => ({ at, id }),
  });
  if (rows.length === 0 && request.wait > 0) call.waitOn(mailboxTopic(viewer));
  const [messages, unread] = await Promise.all([
    showMessages(context, rows, call.caller),
    countUnread(db, viewer),
  ]);
  return { messages, unread: unread.count, nextCursor };
}
