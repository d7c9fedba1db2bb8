import { nowDate } from '@hearth/clock';
import { CommonsClosing, CommonsStatus } from '@hearth/proto/messages/v1/commons';
import type { Context } from '../context.ts';
import { closePost, lockPost } from '../db/posts.ts';
import { closed } from '../domain/events.ts';

/** Closes an open post without its author, for the given reason. */
export async function closeByItself(
  { clock, commit }: Pick<Context, 'clock' | 'commit'>,
  id: string,
  reason: CommonsClosing,
): Promise<void> {
  const at = nowDate(clock);
  await commit(async (tx) => {
    const post = await lockPost(tx, id);
    const isOver = reason !== CommonsClosing.EXPIRED || (post !== null && post.expiresAt <= at);
    if (post?.state !== CommonsStatus.OPEN || !isOver) return;
    await closePost(tx, id, { reason, with: null, at });
    tx.announce(closed(post, reason));
  });
}
