import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { blockedAuthors } from '../db/authors.ts';
import { findConversation, findPost, type PostRow } from '../db/posts.ts';
import { findReply, type ReplyRow } from '../db/replies.ts';
import { blockersOf, requireAdult } from './callers.ts';

export interface Visible {
  post: PostRow;
  /** uuids of the authors hidden from the caller. */
  without: string[];
}

type Deps = Pick<Context, 'database'>;

/**
 * Returns the post with this id, or the id of its conversation.
 *
 * @throws not_found also if the caller blocks the author; forbidden for a caller under 18
 */
export async function findVisible(
  { database: { db } }: Deps,
  text: string,
  caller: Caller,
): Promise<Visible> {
  requireAdult(caller);
  const [id, conversation] = [parseId('pst', text), parseId('cnv', text)];
  const [post, without] = await Promise.all([
    id !== null ? findPost(db, id) : conversation !== null ? findConversation(db, conversation) : null,
    blockedAuthors(db, blockersOf(caller)),
  ]);
  if (post === null || without.includes(post.author)) throw notFound();
  return { post, without };
}

/** Returns the post, or the reply with its post. @throws as `findVisible` */
export async function findEither(
  context: Deps,
  text: string,
  caller: Caller,
): Promise<Visible & { reply: ReplyRow | null }> {
  requireAdult(caller);
  const id = parseId('pst', text);
  const reply = id === null ? null : await findReply(context.database.db, id);
  if (reply === null) return { ...(await findVisible(context, text, caller)), reply };
  const post = await findPost(context.database.db, reply.post);
  const without = await blockedAuthors(context.database.db, blockersOf(caller));
  if (post === null || without.includes(post.author) || without.includes(reply.author)) throw notFound();
  return { post, without, reply };
}
