import { badField, badRequest } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { MarkReadRequest } from '@hearth/proto/messages/v1/messages';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { lockMailbox, lowerUnread, markRead as markIds, markThreadRead } from '../db/messages.ts';
import { mailboxOf } from '../domain/mailbox-of.ts';
import type { MessagesHandlers } from './index.ts';

export const markRead =
  ({ clock, database, outbox }: Context): MessagesHandlers['markRead'] =>
  async (request, { caller }) => {
    mailboxOf(caller);
    const which = narrow(request);
    const at = new Date(clock.now());
    const read = await database.transaction(async (tx) => {
      await lockMailbox(tx, caller.id);
      const marked =
        'ids' in which
          ? await markIds(tx, caller.id, which.ids, at)
          : await markThreadRead(tx, caller.id, which.thread, which.upTo, at);
      await lowerUnread(tx, caller.id, marked);
      return marked;
    });
    if (read > 0) outbox.wake([mailboxTopic(caller.id)]);
    return { read };
  };

function narrow({
  ids,
  thread,
  upTo,
}: MarkReadRequest): { ids: string[] } | { thread: string; upTo: string } {
  if (ids.length > 0) {
    if (thread !== undefined || upTo !== undefined)
      throw badRequest('give ids, or thread with up_to, not both');
    return { ids: ids.map((id) => parseId('msg', id)!) };
  }
  if (thread === undefined) throw badField('ids', 'give message ids, or thread with up_to');
  if (upTo === undefined) throw badField('up_to', 'give the message of the thread up to which you have read');
  return { thread: parseId('thr', thread)!, upTo: parseId('msg', upTo)! };
}
