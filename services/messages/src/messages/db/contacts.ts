import { type Db, named, type Tx } from '@hearth/db';

/** Whether one of `owners` has written to one of `others` before. */
export async function hasWrittenTo(
  db: Db,
  owners: readonly string[],
  others: readonly string[],
): Promise<boolean> {
  const row = await db.maybeOne(named('messages_has_written_to')`
    select 1 as found from messages.contacts
    where owner = any(${owners}::uuid[]) and other = any(${others}::uuid[]) limit 1`);
  return row !== null;
}

/** Whether one of `owners` has written to anyone of a home in that registrable domain. */
export async function hasWrittenToDomain(
  db: Db,
  owners: readonly string[],
  domain: string,
): Promise<boolean> {
  const row = await db.maybeOne(named('messages_has_written_to_domain')`
    select 1 as found
    from messages.contacts c join messages.threads t on t.owner = c.owner and t.other = c.other
    where c.owner = any(${owners}::uuid[])
      and '.' || split_part(t.other_address, '@', 2) like '%.' || ${domain.replaceAll(/[\\%_]/g, '\\$&')}
    limit 1`);
  return row !== null;
}

/** Those of other homes are strangers to everyone again. */
export async function endContacts(tx: Tx, parties: readonly string[], before: Date): Promise<void> {
  await tx.execute(named('messages_end_contacts')`
    with theirs as (select owner, id, other from messages.threads where owner = any(${parties}::uuid[]))
    delete from messages.contacts c using (
      select owner as one, other from theirs union select other, owner from theirs) pairs
    where c.owner = pairs.one and c.other = pairs.other and c.since <= ${before}`);
}

export interface ContactRow {
  /** uuid */
  id: string;
  address: string;
  /** As it was with their last message; empty when they never wrote. */
  name: string;
  lastAt: Date;
}

/** The correspondents of `owner`, the newest first, without strangers whom the owner never answered. */
export async function listContacts(db: Db, owner: string, limit: number): Promise<ContactRow[]> {
  return await db.query<ContactRow>(named('messages_list_contacts')`
    select newest.id, newest.address, newest."lastAt", coalesce((
      select m.sender_name from messages.threads t join messages.messages m on m.thread = t.id
      where t.owner = ${owner} and t.other = newest.id and m.sender = newest.id
      order by m.recipient_seq desc limit 1), '') as name
    from (
      select distinct on (t.other) t.other as id, t.other_address as address, t.last_at as "lastAt",
        t.last_seq
      from messages.threads t
      where t.owner = ${owner} and (t.box = ${inbox} or exists (
        select 1 from messages.contacts c where c.owner = t.owner and c.other = t.other))
      order by t.other, t.last_seq desc) newest
    order by newest.last_seq desc limit ${limit}`);
}

/** Box.INBOX as it is stored. */
const inbox = 1;
