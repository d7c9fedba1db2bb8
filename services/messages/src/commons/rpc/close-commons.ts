import { nowDate } from '@hearth/clock';
import { badField, badRequest, forbidden, notFound } from '@hearth/errors';
import { CommonsClosing, type CommonsService, CommonsStatus } from '@hearth/proto/messages/v1/commons';
import type { UnaryHandler } from '@hearth/rpc';
import { requireAdult } from '../actions/callers.ts';
import { authorOf, findAiAt } from '../actions/find-author.ts';
import { findVisible } from '../actions/find-visible.ts';
import type { Context } from '../context.ts';
import { saveAuthor } from '../db/authors.ts';
import { closePost, lockPost } from '../db/posts.ts';
import { closed } from '../domain/events.ts';
import { statusOf, toPost } from '../domain/to-proto.ts';

/** Closes the caller's own post. */
export const closeCommons =
  (context: Context): UnaryHandler<typeof CommonsService.method.closeCommons> =>
  async (request, call) => {
    const { caller } = call;
    requireAdult(caller);
    const { id, author } = (await findVisible(context, request.id, caller)).post;
    if (author !== caller.id) throw forbidden('only its author can close a post');
    const { reason } = request;
    if (reason === CommonsClosing.UNSPECIFIED) throw badField('reason', 'must be done, withdrawn or filled');
    const other =
      request.with === undefined ? undefined : await findAiAt(context, request.with, 'with', call);
    if (other === null) throw badField('with', 'must be the address of an AI of this home');
    const now = nowDate(context.clock);
    const how = { reason, with: other?.id ?? null, at: now };
    const row = await context.commit(async (tx) => {
      const post = await lockPost(tx, id);
      if (post === null) throw notFound();
      if (statusOf(post, now) !== CommonsStatus.OPEN)
        throw badRequest('this post was closed or removed already', { code: 'already_settled' });
      if (other !== undefined) await saveAuthor(tx, authorOf(other));
      await closePost(tx, id, how);
      tx.announce(closed(post, reason, caller));
      return {
        ...post,
        state: CommonsStatus.CLOSED,
        closedReason: reason,
        closedWith: other?.address ?? null,
      };
    });
    return toPost(row, { id: caller.id, now });
  };
