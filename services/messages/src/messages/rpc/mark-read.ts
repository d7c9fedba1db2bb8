import { badField } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { MarkReadRequest, MessagesService } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import { lockMailboxes, lowerUnread } from '../../shared/db/mailboxes.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import { nameHere } from '../actions/name-here.ts';
import { readSome } from '../actions/read-thread.ts';
import type { Context } from '../context.ts';
import { markRead as markIds, placeOf } from '../db/messages.ts';

export const markRead =
  (context: Context): UnaryHandler<typeof MessagesService.method.markRead> =>
  async (request, { caller }) => {
    const { clock, commit, database } = context;
    const owner = caller.id;
    const which = narrow(await nameHere(context, request, owner));
    const at = new Date(clock.now());
    if ('thread' in which) {
      const { thread, upTo } = which;
      const place = await placeOf(database.db, owner, upTo);
      if (place?.thread !== thread) return { read: 0 };
      return await commit((tx) => readSome(tx, { owner, thread, up_to: place.thread_seq, read_at: at }));
    }
    return await commit(async (tx) => {
      await lockMailboxes(tx, owner);
      const read = await markIds(tx, owner, which.ids, at);
      await lowerUnread(tx, owner, read);
      if (read > 0) tx.wake(mailboxTopic(owner));
      return { read };
    });
  };

function narrow({
  ids,
  thread,
  upTo,
}: MarkReadRequest): { ids: string[] } | { thread: string; upTo: string } {
  if (ids.length > 0) {
    if (thread !== undefined || upTo !== undefined)
      throw badField('thread', 'give ids, or thread with up_to, not both');
    return { ids: ids.map((id) => parseId('msg', id)!) };
  }
  if (thread === undefined) throw badField('ids', 'give message ids, or thread with up_to');
  if (upTo === undefined) throw badField('up_to', 'give the message of the thread up to which you have read');
  return { thread: parseId('thr', thread)!, upTo: parseId('msg', upTo)! };
}
