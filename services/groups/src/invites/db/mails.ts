import { type Db, fragment, named, sql, type Tx } from '@hearth/db';

/** An invite sent to an email address. */
export interface MailRow {
  /** uuid of the invite. */
  invite: string;
  email: string;
  /** The invite's sealed code. */
  code: Buffer;
}

/** Stores the mail until `deletesAt`. For the previous version it never becomes due. */
export async function insertMail(tx: Tx, { invite, email, code }: MailRow, deletesAt: Date): Promise<void> {
  await tx.execute(named('groups_insert_mail')`
    insert into groups.mails (invite, email, code, next_at, deletes_at)
      values (${invite}, ${email}, ${code}, 'infinity', ${deletesAt})`);
}

export function findMail(db: Db, invite: string): Promise<MailRow | null> {
  return db.maybeOne<MailRow>(named('groups_find_mail')`
    select invite, email, code from groups.mails where invite = ${invite}`);
}

export const nextMail = fragment`
  select min(next_at) from groups.mails where next_at < 'infinity' and deletes_at is null`;

/** Takes over due mails of the previous version; returns the uuids of their invites. */
export async function takeOverMails(
  tx: Tx,
  { now, deletesAt, limit }: { now: Date; deletesAt: Date; limit: number },
): Promise<string[]> {
  const rows = await tx.query<{ invite: string }>(named('groups_take_over_mails')`
    update groups.mails set next_at = 'infinity', deletes_at = ${deletesAt}
    where invite = any(array(
      select invite from groups.mails where next_at <= ${now} and deletes_at is null
      order by next_at limit ${limit} for update skip locked))
    returning invite`);
  return rows.map(({ invite }) => invite);
}

/** Deletes the mail of an ended invite. */
export async function deleteMail(tx: Tx, invite: string): Promise<void> {
  await tx.execute(named('groups_delete_mail')`delete from groups.mails where invite = ${invite}`);
}

/** Deletes up to `limit` mails past their time; returns how many. */
export async function deleteMailsBefore(tx: Tx, now: Date, limit: number): Promise<number> {
  return await tx.execute(sql`
    delete from groups.mails where invite in (
      select invite from groups.mails where deletes_at <= ${now} limit ${limit} for update skip locked)`);
}
