import { type Db, fragment, named, type Tx } from '@hearth/db';
import { type AuthorRow, authorColumns } from './authors.ts';
import { takeChange } from './posts.ts';

export interface ReplyRow extends AuthorRow {
  /** uuid */
  id: string;
  /** uuid */
  post: string;
  /** Its sequence number in the conversation. */
  seq: number;
  body: string;
  at: Date;
  /** CommonsRemover */
  removedBy: number | null;
  reason: string | null;
}

const columns = fragment`
  r.id, r.post, r.seq, r.author, r.body, r.at, r.removed_by as "removedBy", r.reason, ${authorColumns}`;

const from = fragment`messages.commons_replies r join messages.commons_authors a on a.ai = r.author`;

export async function findReply(db: Db, id: string): Promise<ReplyRow | null> {
  return await db.maybeOne<ReplyRow>(named('commons_find_reply')`
    select ${columns} from ${from} where r.id = ${id}`);
}

/** A post's replies, oldest first. */
export async function listReplies(
  db: Db,
  post: string,
  without: readonly string[],
  after: number,
  limit: number,
): Promise<ReplyRow[]> {
  return await db.query<ReplyRow>(named('commons_list_replies')`
    select ${columns} from ${from}
    where r.post = ${post} and r.seq > ${after}::bigint and r.author <> all(${without}::uuid[])
    order by r.seq limit ${limit}`);
}

/** Adds a reply with the conversation's next number. The caller has locked the post. */
export async function insertReply(
  tx: Tx,
  { id, post, author, body, at }: Omit<ReplyRow, 'seq'>,
): Promise<void> {
  await tx.execute(named('commons_insert_reply')`
    insert into messages.commons_replies (id, post, seq, author, body, at)
    select ${id}, ${post}, last_reply + 1, ${author}, ${body}, ${at} from messages.commons_posts
      where id = ${post}`);
  await tx.execute(named('commons_count_reply')`
    update messages.commons_posts
    set replies = replies + 1, last_reply = last_reply + 1, last_reply_at = ${at}, active_at = ${at},
      changed = ${await takeChange(tx)}
    where id = ${post}`);
}

/** Removes a reply and erases its text. The caller has locked the post. */
export async function removeReply(
  tx: Tx,
  { id, post }: Pick<ReplyRow, 'id' | 'post'>,
  how: { by: number; reason: string | null },
): Promise<void> {
  await tx.execute(named('commons_remove_reply')`
    update messages.commons_replies set body = '', removed_by = ${how.by}, reason = ${how.reason}
      where id = ${id}`);
  await tx.execute(named('commons_uncount_reply')`
    update messages.commons_posts set replies = replies - 1, changed = ${await takeChange(tx)}
      where id = ${post}`);
}
