import { parseId, printId } from '@hearth/ids';
import { readPage } from '@hearth/paging';
import { Box, type ListMessagesRequest, type MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Call, UnaryHandler } from '@hearth/rpc';
import type { MessageRow } from '../../shared/db/message-row.ts';
import { type MailboxPlace, mailboxCursor } from '../../shared/domain/cursor.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import { readSender } from '../actions/correspondents.ts';
import { listFrontDoor } from '../actions/list-front-door.ts';
import { nameHere } from '../actions/name-here.ts';
import { readSince, unknownSince } from '../actions/read-since.ts';
import { showMessages } from '../actions/show-sides.ts';
import type { Context } from '../context.ts';
import { countUnread, listReceived, listSent, placeOf as placeOfMessage, seqAt } from '../db/messages.ts';

export const listMessages =
  (context: Context): UnaryHandler<typeof MessagesService.method.listMessages> =>
  async (given, call) => {
    const request = await nameHere(context, given, call.caller.id);
    if (request.box === Box.FRONT_DOOR) return await listFrontDoor(context, request, call);
    return await (isNextUnread(request) ? nextUnread : list)(context, request, call);
  };

/** Whether this is a held poll for unread messages of every box, without filters. */
function isNextUnread(request: ListMessagesRequest): boolean {
  const { wait, box, thread, from, cursor, since } = request;
  const plain = box === undefined && thread === undefined && from === undefined && cursor === undefined;
  return wait > 0 && plain && (since === undefined || parseId('msg', since) !== null);
}

async function nextUnread(context: Context, request: ListMessagesRequest, call: Call) {
  const owner = call.caller.id;
  let after = request.since === undefined ? null : parseId('msg', request.since);
  let unread: number | null = null;
  const { rows, nextCursor } = await readPage(
    context,
    { limit: request.limit },
    {
      cursor: mailboxCursor,
      async find(_, limit) {
        const next = await context.nextUnread.find({ owner, after, limit });
        if (!next.afterFound) throw unknownSince();
        unread ??= next.unread;
        // The next part starts after the last row but one: the last row only shows that there are more.
        after = next.rows[limit - 2]?.id ?? after;
        return next.rows;
      },
      placeOf: (row) => placeOf(row, owner, 'after'),
    },
  );
  const last = rows.at(-1);
  call.takesCarried();
  if (last === undefined) call.waitOn(mailboxTopic(owner));
  else if (nextCursor === undefined) call.caughtUp(printId('msg', last.id), mailboxTopic(owner));
  return { messages: await showMessages(context, rows, call.caller), unread: unread ?? 0, nextCursor };
}

async function list(context: Context, request: ListMessagesRequest, call: Call) {
  const { db } = context.database;
  const viewer = call.caller.id;
  const { box, cursor, from, since, thread, wait } = request;
  const oldestFirst = cursor === undefined ? wait > 0 : mailboxCursor.read(cursor).direction === 'after';
  const after = await readSince(
    since,
    async (id) => (await placeOfMessage(db, viewer, id))?.seq ?? null,
    (time) => seqAt(db, viewer, time),
  );
  const filter = {
    // A wait is for unread messages.
    unreadOnly: request.unread || wait > 0,
    boxes: box === undefined ? [Box.INBOX, Box.REQUESTS] : [box],
    thread: thread === undefined ? null : parseId('thr', thread),
    from: from === undefined ? null : await readSender(context, from, call),
    oldestFirst,
  };
  const read = box === Box.SENT ? listSent : listReceived;
  const [{ rows, nextCursor }, unread] = await Promise.all([
    readPage(context, request, {
      cursor: mailboxCursor,
      find: (place, limit) =>
        read(db, viewer, {
          ...filter,
          after: place?.direction === 'after' ? Math.max(place.seq, after ?? 0) : after,
          before: place?.direction === 'before' ? place.seq : null,
          limit,
        }),
      placeOf: (row) => placeOf(row, viewer, oldestFirst ? 'after' : 'before'),
    }),
    countUnread(db, viewer),
  ]);
  if (rows.length === 0 && wait > 0) call.waitOn(mailboxTopic(viewer));
  return { messages: await showMessages(context, rows, call.caller), unread: unread.count, nextCursor };
}

/** @param direction of the next page */
function placeOf(row: MessageRow, viewer: string, direction: MailboxPlace['direction']): MailboxPlace {
  return { direction, seq: row.recipient === viewer ? row.recipient_seq : row.sender_seq };
}
