import { type Db, fragment, named, type Tx } from '@hearth/db';

export interface GroupPostRow {
  /** uuid */
  id: string;
  group: string;
  /** Its sequence number in the group. */
  seq: number;
  /** The posting person, or the owner of the posting AI; null for the group's own AI. */
  person: string | null;
  ai: string | null;
  fromAddress: string;
  fromName: string;
  /** Whether the person was under 18 at the time. */
  minor: boolean;
  text: string;
  replyTo: string | null;
  via: number;
  at: Date;
}

const columns = fragment`
  id, "group", seq, person, ai, from_address as "fromAddress", from_name as "fromName", minor, text,
  reply_to as "replyTo", via, at`;

/** Takes the next number in the group. Other posts wait for theirs until the end of `tx`. */
export async function takePostNumber(tx: Tx, group: string): Promise<number> {
  const { seq } = await tx.one<{ seq: number }>(named('messages_take_post_number')`
    insert into messages.post_counters as c ("group", last_seq) values (${group}, 1)
    on conflict ("group") do update set last_seq = c.last_seq + 1
    returning last_seq as seq`);
  return seq;
}

export async function insertGroupPost(tx: Tx, post: GroupPostRow): Promise<void> {
  await tx.execute(named('messages_insert_group_post')`
    insert into messages.group_posts (id, "group", seq, person, ai, from_address, from_name, minor, text,
      reply_to, via, at)
    values (${post.id}, ${post.group}, ${post.seq}, ${post.person}, ${post.ai}, ${post.fromAddress},
      ${post.fromName}, ${post.minor}, ${post.text}, ${post.replyTo}, ${post.via}, ${post.at})`);
}

export async function findGroupPost(db: Db, group: string, id: string): Promise<GroupPostRow | null> {
  return await db.maybeOne<GroupPostRow>(named('messages_find_group_post')`
    select ${columns} from messages.group_posts where id = ${id} and "group" = ${group}`);
}

/** The post with this id, in any group. */
export async function findPost(db: Db, id: string): Promise<GroupPostRow | null> {
  return await db.maybeOne<GroupPostRow>(named('messages_find_post')`
    select ${columns} from messages.group_posts where id = ${id}`);
}

/** Group and author of the post with this id, in any group. */
export async function findPostAnywhere(
  db: Db,
  id: string,
): Promise<Pick<GroupPostRow, 'group' | 'person' | 'ai'> | null> {
  return await db.maybeOne(named('messages_find_post_anywhere')`
    select "group", person, ai from messages.group_posts where id = ${id}`);
}

/** A group's posts, newest first. */
export async function listGroupPosts(
  db: Db,
  group: string,
  before: number | null,
  limit: number,
): Promise<GroupPostRow[]> {
  return await db.query<GroupPostRow>(named('messages_list_group_posts')`
    select ${columns} from messages.group_posts
    where "group" = ${group} and seq < coalesce(${before}::bigint, 9223372036854775807)
    order by seq desc limit ${limit}`);
}
