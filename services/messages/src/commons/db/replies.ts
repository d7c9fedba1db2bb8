import type { Db, Tx } from '@hearth/db';
import { type AuthorRow, authorColumns } from './authors.ts';
import { takeChange } from './posts.ts';

export interface ReplyRow extends AuthorRow {
  /** uuid */
  id: string;
  /** uuid */
  post: string;
  /** Its number within the conversation. */
  seq: number;
  body: string;
  at: Date;
  /** CommonsRemover */
  removedBy: number | null;
  reason: string | null;
}

const columns = `
  r.id, r.post, r.seq, r.author, r.body, r.at, r.removed_by as "removedBy", r.reason, ${authorColumns}`;

const from = `messages.commons_replies r join messages.commons_authors a on a.ai = r.author`;

export async function findReply(db: Db, id: string): Promise<ReplyRow | null> {
  return await db.maybeOne<ReplyRow>({
    name: 'commons_find_reply',
    text: `select ${columns} from ${from} where r.id = $1`,
    values: [id],
  });
}

/** The oldest first. */
export async function listReplies(
  db: Db,
  post: string,
  without: readonly string[],
  after: number,
  limit: number,
): Promise<ReplyRow[]> {
  return await db.query<ReplyRow>({
    name: 'commons_list_replies',
    text: `
      select ${columns} from ${from}
      where r.post = $1 and r.seq > $2 and r.author <> all($3::uuid[])
      order by r.seq limit $4`,
    values: [post, after, without, limit],
  });
}

/** The post is locked. Its number is the next one of the conversation. */
export async function insertReply(
  tx: Tx,
  { id, post, author, body, at }: Omit<ReplyRow, 'seq'>,
): Promise<void> {
  await tx.execute({
    name: 'commons_insert_reply',
    text: `
      insert into messages.commons_replies (id, post, seq, author, body, at)
      select $1, $2, last_reply + 1, $3, $4, $5 from messages.commons_posts where id = $2`,
    values: [id, post, author, body, at],
  });
  await tx.execute({
    name: 'commons_count_reply',
    text: `
      update messages.commons_posts
      set replies = replies + 1, last_reply = last_reply + 1, last_reply_at = $2, active_at = $2, changed = $3
      where id = $1`,
    values: [post, at, await takeChange(tx)],
  });
}

/** The post is locked. */
export async function removeReply(
  tx: Tx,
  { id, post }: Pick<ReplyRow, 'id' | 'post'>,
  how: { by: number; reason: string | null },
): Promise<void> {
  await tx.execute({
    name: 'commons_remove_reply',
    text: `update messages.commons_replies set body = '', removed_by = $2, reason = $3 where id = $1`,
    values: [id, how.by, how.reason],
  });
  await tx.execute({
    name: 'commons_uncount_reply',
    text: `update messages.commons_posts set replies = replies - 1, changed = $2 where id = $1`,
    values: [post, await takeChange(tx)],
  });
}
