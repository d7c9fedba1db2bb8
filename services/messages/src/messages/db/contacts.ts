import { type Db, named, type Tx } from '@hearth/db';

/** Whether any of `owners` has written to any of `others`. */
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

/** Whether any of `owners` has written to anyone at a home in this registrable domain. */
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

/** Deletes the parties' contacts: they are strangers to everyone again. */
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
  /** The name on their latest message; empty if they never wrote. */
  name: string;
  lastAt: Date;
}

/** The number of threads read by one statement, newest first. */
const threadsAtOnce = 400;

/** The correspondents of `owner`, newest first, without strangers that the owner never answered. */
export async function listContacts(db: Db, owner: string, limit: number): Promise<ContactRow[]> {
  const contacts = new Map<string, ContactRow>();
  let before: number | null = null;
  do {
    const threads: (ContactRow & { seq: number; known: boolean })[] = await db.query(named(
      'messages_list_contacts',
    )`
      select t.other as id, t.other_address as address, t.last_at as "lastAt", t.last_seq as seq,
        t.box = ${inbox} or exists (
          select 1 from messages.contacts c where c.owner = t.owner and c.other = t.other) as known,
        coalesce((
          select m.sender_name from messages.messages m
          where m.recipient = t.owner and m.sender_address = t.other_address
            and m.recipient_deleted_at is null and m.holder is null
          order by m.recipient_seq desc limit 1), '') as name
      from messages.threads t
      where t.owner = ${owner} and t.last_seq < coalesce(${before}::bigint, 9223372036854775807)
      order by t.last_seq desc limit ${threadsAtOnce}`);
    for (const { known, seq: _, ...contact } of threads)
      if (known && !contacts.has(contact.id)) contacts.set(contact.id, contact);
    before = threads.length < threadsAtOnce ? null : threads.at(-1)!.seq;
  } while (before !== null && contacts.size < limit);
  return [...contacts.values()].slice(0, limit);
}

/** Box.INBOX. */
const inbox = 1;
