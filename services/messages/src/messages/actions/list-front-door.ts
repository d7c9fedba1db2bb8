import { timestampDate } from '@bufbuild/protobuf/wkt';
import { badField } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { ListMessagesRequest } from '@hearth/proto/messages/v1/messages';
import { parseTimestamp } from '@hearth/proto-json';
import type { Call } from '@hearth/rpc';
import { parseMoment, printMoment } from '../../shared/domain/cursor.ts';
import { pageSize } from '../../shared/domain/page-size.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { countUnread, findMessage, listAtFrontDoor } from '../db/messages.ts';
import { mailboxOf } from '../domain/mailbox-of.ts';
import { sidesOf, toMessage } from '../domain/to-proto.ts';

/**
 * What waits at the front door, the newest first: for the AI that stands there, and for its person. It comes from several
 * mailboxes, so that it has an order of its own.
 */
export async function listFrontDoor(context: Context, request: ListMessagesRequest, call: Call) {
  const { correspondents, database, shownPeople } = context;
  const viewer = mailboxOf(call.caller);
  const limit = pageSize(context, request.limit);
  const rows = await listAtFrontDoor(database.db, viewer, {
    before: request.cursor === undefined ? null : parseMoment(request.cursor),
    after: await momentOf(context, request.since, viewer),
    thread: request.thread === undefined ? null : parseId('thr', request.thread),
    from: request.from === undefined ? null : await correspondents.readFilter(request.from, 'from', call),
    limit: limit + 1,
  });
  if (rows.length === 0 && request.wait > 0) call.waitOn(mailboxTopic(viewer));
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const [seen, unread] = await Promise.all([
    shownPeople.to(call.caller, shown.flatMap(sidesOf)),
    countUnread(database.db, viewer),
  ]);
  return {
    messages: shown.map((row) => toMessage(row, viewer, seen)),
    unread: unread.count,
    nextCursor: rows.length > limit && last !== undefined ? printMoment(last) : undefined,
  };
}

/** `since` as a moment: of a message that they can see, or as it is given. */
async function momentOf(
  { database }: Context,
  since: string | undefined,
  viewer: string,
): Promise<Date | null> {
  if (since === undefined) return null;
  const id = parseId('msg', since);
  if (id !== null) {
    const message = await findMessage(database.db, viewer, id);
    if (message === null) throw badField('since', 'is no message that you can see');
    return message.at;
  }
  const time = parseTimestamp(since);
  if (time === null)
    throw badField('since', 'must be the id of a message or a time such as 2026-01-31T12:00:00Z');
  return timestampDate(time);
}
