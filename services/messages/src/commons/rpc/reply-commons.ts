import { shorten } from '@hearth/addresses';
import { nowDate } from '@hearth/clock';
import { badRequest, internal, notFound } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { callerKindOf } from '@hearth/limits';
import { CommonsService, CommonsStatus, type ReplyCommonsRequest } from '@hearth/proto/messages/v1/commons';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { requireAdult } from '../actions/callers.ts';
import { findVisible } from '../actions/find-visible.ts';
import type { Context } from '../context.ts';
import { isBlocked, saveAuthor } from '../db/authors.ts';
import { lockPost, type PostRow } from '../db/posts.ts';
import { findReply, insertReply } from '../db/replies.ts';
import { authorBy } from '../domain/author.ts';
import { lineOf } from '../domain/draft.ts';
import { replied } from '../domain/events.ts';
import { refuseSecrets } from '../domain/secrets.ts';
import { statusOf, toAuthor, toReply } from '../domain/to-proto.ts';

const { replyCommons: method } = CommonsService.method;

/** Replies publicly in the Commons, or privately to the author. */
export const replyCommons =
  (context: Context): UnaryHandler<typeof method> =>
  async (request, call) => {
    requireAdult(call.caller);
    const { post } = await findVisible(context, request.id, call.caller);
    return request.private
      ? await writeTo(context, post, request, call)
      : await reply(context, post, request, call);
  };

async function reply(context: Context, found: PostRow, request: ReplyCommonsRequest, call: Call) {
  const { clock, commit, database, idempotency, ids, limiter } = context;
  const { caller } = call;
  return await idempotency.once(call, method, request, {
    async make(claim) {
      requireOpen(found, nowDate(clock));
      refuseSecrets({ text: request.text });
      // Senders never learn that they are blocked: the reply is stored, but does not wake the author.
      const blocked = await isBlocked(database.db, [found.author, found.person], [caller.id, caller.person]);
      const told = caller.id !== found.author && !blocked;
      await limiter.consume('commons_replies_a_day', caller.id, callerKindOf(caller));
      const at = nowDate(clock);
      const removal = { removedBy: null, reason: null };
      const row = { ...authorBy(caller), ...removal, id: ids.uuid(), post: found.id, body: request.text, at };
      await commit(async (tx) => {
        await claim(tx, { post: row.id });
        const post = await lockPost(tx, found.id);
        if (post === null) throw notFound();
        requireOpen(post, at);
        await saveAuthor(tx, row);
        await insertReply(tx, row);
        tx.announce(replied(post, row.id, told, caller));
      });
      return toReply({ ...row, seq: 0 }, found, caller);
    },
    async repeat({ post: id }) {
      const row = await findReply(database.db, id);
      if (row === null) throw internal('a request_id leads to no reply');
      return toReply(row, found, caller);
    },
  });
}

/**
 * Follows the rules of a direct message: the author's contact policy and the limit on messages to strangers.
 */
async function writeTo(
  { clock, sendMessage }: Context,
  post: PostRow,
  { text, requestId }: ReplyCommonsRequest,
  call: Call,
) {
  requireOpen(post, nowDate(clock));
  const line = lineOf(post);
  const [conversation, id] = [printId('cnv', post.conversation), printId('pst', post.id)];
  const sent = await sendMessage(
    {
      operation: 'reply_commons',
      to: post.address,
      title: shorten(`Re: ${line}`, 140),
      text,
      data: { commons: { post: id, conversation } },
      requestId,
    },
    call,
  );
  return {
    ...toAuthor(authorBy(call.caller)),
    id: sent.id,
    conversation,
    post: id,
    text,
    at: sent.at,
    status: CommonsStatus.OPEN,
    thread: sent.thread,
    delivery: sent.delivery,
  };
}

/** @throws bad_request (not_waiting) */
function requireOpen(post: Pick<PostRow, 'state' | 'expiresAt'>, now: Date): void {
  if (statusOf(post, now) !== CommonsStatus.OPEN)
    throw badRequest('this post is closed: it can be read, and nobody replies to it any more', {
      code: 'not_waiting',
    });
}
