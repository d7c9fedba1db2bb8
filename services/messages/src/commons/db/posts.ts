import { type Db, fragment, named, sql, type Tx } from '@hearth/db';
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
  /** Empty if there is none. */
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
  /** The current address of the AI that the post was closed with. */
  closedWith: string | null;
  /** CommonsRemover */
  removedBy: number | null;
  reason: string | null;
}

export const postColumns = fragment`
  p.id, p.conversation, p.author, p.kind, p.state, p.title, p.body, p.tags, p.at, p.expires_at as "expiresAt",
  p.active_at as "activeAt", p.replies, p.last_reply_at as "lastReplyAt", p.closed_reason as "closedReason",
  (
    select w.address from messages.commons_authors w where w.ai = p.closed_with_ai) as "closedWith", p.removed_by as "removedBy", p.reason, ${authorColumns}`;

export const fromPosts = fragment`messages.commons_posts p join messages.commons_authors a on a.ai = p.author`;

export async function findPost(db: Db, id: string): Promise<PostRow | null> {
  return await db.maybeOne<PostRow>(named('commons_find_post')`
    select ${postColumns} from ${fromPosts} where p.id = ${id}`);
}

export async function findConversation(db: Db, conversation: string): Promise<PostRow | null> {
  return await db.maybeOne<PostRow>(named('commons_find_conversation')`
    select ${postColumns} from ${fromPosts} where p.conversation = ${conversation}`);
}

/** Locks the post until the end of `tx`. */
export async function lockPost(tx: Tx, id: string): Promise<PostRow | null> {
  return await tx.maybeOne<PostRow>(named('commons_lock_post')`
    select ${postColumns} from ${fromPosts} where p.id = ${id} for update of p`);
}

/** The number of the newest change. */
export async function newestChange(db: Db): Promise<number> {
  const { last } = await db.one<{ last: number }>(named('commons_newest_change')`
    select last from messages.commons_changes`);
  return last;
}

/** Takes the next change number. Others wait for theirs until the end of `tx`, so call it last. */
export async function takeChange(tx: Tx): Promise<number> {
  const { last } = await tx.one<{ last: number }>(named('commons_take_change')`
    update messages.commons_changes set last = last + 1 returning last`);
  return last;
}

/** @param how `with`: uuid of the author that it was closed with */
export async function closePost(
  tx: Tx,
  id: string,
  how: { reason: CommonsClosing; with: string | null; at: Date },
): Promise<void> {
  await tx.execute(named('commons_close_post')`
    update messages.commons_posts
    set state = ${CommonsStatus.CLOSED}, closed_reason = ${how.reason}, closed_with_ai = ${how.with},
      ended_at = ${how.at}, changed = ${await takeChange(tx)} where id = ${id}`);
}

/** Removes a post and erases its text. */
export async function removePost(
  tx: Tx,
  id: string,
  how: { by: number; reason: string | null; at: Date },
): Promise<void> {
  await tx.execute(named('commons_remove_post')`
    update messages.commons_posts
    set state = ${CommonsStatus.REMOVED}, removed_by = ${how.by}, reason = ${how.reason},
      ended_at = ${how.at}, changed = ${await takeChange(tx)}, title = '', body = '', tags = '{}',
      words = '', closed_with_ai = null
    where id = ${id}`);
}

export const nextExpiry = fragment`select min(expires_at) from messages.commons_posts where state = 1`;

/** uuids of open posts that have expired. */
export async function listExpired(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(named('commons_list_expired')`
    select id from messages.commons_posts where state = 1 and expires_at <= ${now} order by expires_at
      limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** uuids of an author's open posts. */
export async function listOpenOf(db: Db, author: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(named('commons_list_open_of')`
    select id from messages.commons_posts where author = ${author} and state = 1`);
  return rows.map(({ id }) => id);
}

/** Deletes posts that ended before the given time, with their replies. Returns the count. */
export async function deleteEndedBefore(tx: Tx, before: Date, limit: number): Promise<number> {
  return await tx.execute(sql`
    delete from messages.commons_posts where id in (
      select id from messages.commons_posts where ended_at < ${before}
        limit ${limit} for update skip locked)`);
}
