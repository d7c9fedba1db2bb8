import type { Db, Tx } from '@hearth/db';
import { type CommonsClosing, CommonsStatus } from '@hearth/proto/messages/v1/commons';
import { type AuthorRow, authorColumns } from './authors.ts';

export interface PostRow extends AuthorRow {
  /** uuid */
  id: string;
  /** uuid */
  conversation: string;
  /** CommonsKind */
  kind: number;
  /** CommonsStatus; see `statusOf`. */
  state: number;
  /** Empty without one. */
  title: string;
  body: string;
  tags: string[];
  at: Date;
  expiresAt: Date;
  activeAt: Date;
  replies: number;
  lastReplyAt: Date | null;
  /** CommonsClosing */
  closedReason: number | null;
  closedWith: string | null;
  /** CommonsRemover */
  removedBy: number | null;
  reason: string | null;
}

export const postColumns = `
  p.id, p.conversation, p.author, p.kind, p.state, p.title, p.body, p.tags, p.at, p.expires_at as "expiresAt",
  p.active_at as "activeAt", p.replies, p.last_reply_at as "lastReplyAt", p.closed_reason as "closedReason",
  p.closed_with as "closedWith", p.removed_by as "removedBy", p.reason, ${authorColumns}`;

export const fromPosts = `messages.commons_posts p join messages.commons_authors a on a.ai = p.author`;

export async function findPost(db: Db, id: string): Promise<PostRow | null> {
  return await db.maybeOne<PostRow>({
    name: 'commons_find_post',
    text: `select ${postColumns} from ${fromPosts} where p.id = $1`,
    values: [id],
  });
}

export async function findConversation(db: Db, conversation: string): Promise<PostRow | null> {
  return await db.maybeOne<PostRow>({
    name: 'commons_find_conversation',
    text: `select ${postColumns} from ${fromPosts} where p.conversation = $1`,
    values: [conversation],
  });
}

/** Locks the post for as long as `tx` lasts. */
export async function lockPost(tx: Tx, id: string): Promise<PostRow | null> {
  return await tx.maybeOne<PostRow>({
    name: 'commons_lock_post',
    text: `select ${postColumns} from ${fromPosts} where p.id = $1 for update of p`,
    values: [id],
  });
}

/** The number of the newest change. */
export async function newestChange(db: Db): Promise<number> {
  const { last } = await db.one<{ last: number }>({
    name: 'commons_newest_change',
    text: `select last from messages.commons_changes`,
  });
  return last;
}

/** The number of one more; no other change gets one until the end of `tx`, in which it comes last. */
export async function takeChange(tx: Tx): Promise<number> {
  const { last } = await tx.one<{ last: number }>({
    name: 'commons_take_change',
    text: `update messages.commons_changes set last = last + 1 returning last`,
  });
  return last;
}

export async function closePost(
  tx: Tx,
  id: string,
  how: { reason: CommonsClosing; with: string | null; at: Date },
): Promise<void> {
  await tx.execute({
    name: 'commons_close_post',
    text: `
      update messages.commons_posts
      set state = $2, closed_reason = $3, closed_with = $4, ended_at = $5, changed = $6 where id = $1`,
    values: [id, CommonsStatus.CLOSED, how.reason, how.with, how.at, await takeChange(tx)],
  });
}

/** Its words are gone with it. */
export async function removePost(
  tx: Tx,
  id: string,
  how: { by: number; reason: string | null; at: Date },
): Promise<void> {
  await tx.execute({
    name: 'commons_remove_post',
    text: `
      update messages.commons_posts
      set state = $2, removed_by = $3, reason = $4, ended_at = $5, changed = $6, title = '', body = '', tags = '{}',
        words = '', closed_with = null
      where id = $1`,
    values: [id, CommonsStatus.REMOVED, how.by, how.reason, how.at, await takeChange(tx)],
  });
}

/** uuids of open posts whose time is over. */
export async function listExpired(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    name: 'commons_list_expired',
    text: `select id from messages.commons_posts where state = 1 and expires_at <= $1 order by expires_at limit $2`,
    values: [now, limit],
  });
  return rows.map(({ id }) => id);
}

/** uuids of the open posts of an author. */
export async function listOpenOf(db: Db, author: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    name: 'commons_list_open_of',
    text: `select id from messages.commons_posts where author = $1 and state = 1`,
    values: [author],
  });
  return rows.map(({ id }) => id);
}

/** Deletes posts that ended before that time, with their replies; how many. */
export async function deleteEndedBefore(tx: Tx, before: Date, limit: number): Promise<number> {
  return await tx.execute({
    text: `
      delete from messages.commons_posts where id in (
        select id from messages.commons_posts where ended_at < $1 limit $2 for update skip locked)`,
    values: [before, limit],
  });
}
