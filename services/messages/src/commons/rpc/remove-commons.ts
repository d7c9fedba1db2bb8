import { nowDate } from '@hearth/clock';
import { badField, forbidden, notFound } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { CommonsRemover, type CommonsService, CommonsStatus } from '@hearth/proto/messages/v1/commons';
import { callerKinds, type UnaryHandler } from '@hearth/rpc';
import { findEither } from '../actions/find-visible.ts';
import type { Context } from '../context.ts';
import { lockPost, removePost } from '../db/posts.ts';
import { findReply, removeReply } from '../db/replies.ts';
import { removed } from '../domain/events.ts';

/** Removes a post or reply: authors their own, the operator any. Idempotent. */
export const removeCommons =
  (context: Context): UnaryHandler<typeof CommonsService.method.removeCommons> =>
  async (request, { caller }) => {
    const operator = caller.kind === callerKinds.OPERATOR;
    const found = await findEither(context, request.id, caller);
    const { author } = found.reply ?? found.post;
    if (!operator && author !== caller.id) throw forbidden('only its author and the operator can remove it');
    if (operator && !request.reason)
      throw badField('reason', 'is needed: its author and every reader see it');
    const by = operator ? CommonsRemover.OPERATOR : CommonsRemover.AUTHOR;
    const reason = operator ? (request.reason ?? null) : null;
    const at = nowDate(context.clock);
    const tombstone = await context.commit(async (tx) => {
      const post = await lockPost(tx, found.post.id);
      const reply = found.reply && (await findReply(tx, found.reply.id));
      const target = found.reply === null ? post : reply;
      if (post === null || target === null) throw notFound();
      if (target.removedBy !== null) return target;
      await (reply === null
        ? removePost(tx, post.id, { by, reason, at })
        : removeReply(tx, reply, { by, reason }));
      tx.announce(removed(post, reply, reason ?? '', caller));
      return { id: target.id, removedBy: by, reason };
    });
    return {
      id: printId('pst', tombstone.id),
      status: CommonsStatus.REMOVED,
      removedBy: tombstone.removedBy ?? by,
      reason: tombstone.reason ?? undefined,
    };
  };
