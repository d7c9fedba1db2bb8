import { timestampDate } from '@bufbuild/protobuf/wkt';
import { badField } from '@hearth/errors';
import { parseId, printId } from '@hearth/ids';
import { Box, type ListMessagesRequest } from '@hearth/proto/messages/v1/messages';
import { parseTimestamp } from '@hearth/proto-json';
import type { Call, Caller } from '@hearth/rpc';
import type { MessageRow } from '../../shared/db/message-row.ts';
import { type Place, parseCursor, printCursor } from '../../shared/domain/cursor.ts';
import { pageSize } from '../../shared/domain/page-size.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import { listFrontDoor } from '../actions/list-front-door.ts';
import type { Context } from '../context.ts';
import { countUnread, type ListFilter, listReceived, listSent, seqAt, seqOf } from '../db/messages.ts';
import { mailboxOf } from '../domain/mailbox-of.ts';
import { sidesOf, toMessage } from '../domain/to-proto.ts';
import type { MessagesHandlers } from './index.ts';

export const listMessages =
  (context: Context): MessagesHandlers['listMessages'] =>
  (request, call) => {
    if (request.box === Box.FRONT_DOOR) return listFrontDoor(context, request, call);
    return isNextUnread(request) ? nextUnread(context, request, call) : list(context, request, call);
  };

/** The question of a held poll: unread, waiting, from every box, nothing else asked for. */
function isNextUnread(request: ListMessagesRequest): boolean {
  const { wait, box, thread, from, cursor, since } = request;
  const plain = box === undefined && thread === undefined && from === undefined && cursor === undefined;
  return wait > 0 && plain && (since === undefined || parseId('msg', since) !== null);
}

async function nextUnread(context: Context, request: ListMessagesRequest, call: Call) {
  const owner = mailboxOf(call.caller);
  const limit = pageSize(context, request.limit);
  const after = request.since === undefined ? null : parseId('msg', request.since);
  const { rows, unread, afterFound } = await context.nextUnread.find({ owner, after, limit: limit + 1 });
  if (!afterFound) throw unknownSince();
  const last = rows.at(-1);
  if (last === undefined) call.waitOn(mailboxTopic(owner));
  else if (rows.length <= limit) call.caughtUp(printId('msg', last.id), mailboxTopic(owner));
  return await page(context, rows, call.caller, limit, unread, 'after');
}

async function list(context: Context, request: ListMessagesRequest, call: Call) {
  const { db } = context.database;
  const viewer = mailboxOf(call.caller);
  const limit = pageSize(context, request.limit);
  const cursor = request.cursor === undefined ? undefined : parseCursor(request.cursor);
  const oldestFirst = cursor === undefined ? request.wait > 0 : cursor.direction === 'after';
  const after = await numberOf(request.since, viewer, db);
  const filter: ListFilter = {
    // With a wait it is the unread ones that are waited for.
    unreadOnly: request.unread || request.wait > 0,
    boxes: request.box === undefined ? [Box.INBOX, Box.REQUESTS] : [request.box],
    thread: request.thread === undefined ? null : parseId('thr', request.thread),
    from:
      request.from === undefined ? null : await context.correspondents.readFilter(request.from, 'from', call),
    after: cursor?.direction === 'after' ? Math.max(cursor.seq, after ?? 0) : after,
    before: cursor?.direction === 'before' ? cursor.seq : null,
    oldestFirst,
    limit: limit + 1,
  };
  const read = request.box === Box.SENT ? listSent : listReceived;
  const [rows, unread] = await Promise.all([read(db, viewer, filter), countUnread(db, viewer)]);
  if (rows.length === 0 && request.wait > 0) call.waitOn(mailboxTopic(viewer));
  return await page(context, rows, call.caller, limit, unread.count, oldestFirst ? 'after' : 'before');
}

/** One row more than the page was asked for: it says that there is a next one. */
async function page(
  { shownPeople }: Context,
  rows: MessageRow[],
  caller: Caller,
  limit: number,
  unread: number,
  direction: Place['direction'],
) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const seen = await shownPeople.to(caller, shown.flatMap(sidesOf));
  const seq = last && (last.recipient === caller.id ? last.recipient_seq : last.sender_seq);
  return {
    messages: shown.map((row) => toMessage(row, caller.id, seen)),
    unread,
    nextCursor: rows.length > limit && seq !== undefined ? printCursor({ direction, seq }) : undefined,
  };
}

/** `since` as a number of the viewer's mailbox. A message that they deleted still has its place there. */
async function numberOf(
  since: string | undefined,
  viewer: string,
  db: Context['database']['db'],
): Promise<number | null> {
  if (since === undefined) return null;
  const id = parseId('msg', since);
  if (id !== null) {
    const seq = await seqOf(db, viewer, id);
    if (seq === null) throw unknownSince();
    return seq;
  }
  const time = parseTimestamp(since);
  if (time === null) {
    throw badField('since', 'must be the id of a message or a time such as 2026-01-31T12:00:00Z');
  }
  return seqAt(db, viewer, timestampDate(time));
}

function unknownSince(): Error {
  return badField('since', 'is no message that you can see');
}
