import { type Db, named, sql, type Tx } from '@hearth/db';

/** An invite that goes to an e-mail address. */
export interface MailRow {
  /** uuid of the invite. */
  invite: string;
  email: string;
  /** Its code under seal. */
  code: Buffer;
}

/** It is kept until `deletesAt`; delivery says when it is due, and not `next_at`. */
export async function insertMail(tx: Tx, { invite, email, code }: MailRow, deletesAt: Date): Promise<void> {
  await tx.execute(named('groups_insert_mail')`
    insert into groups.mails (invite, email, code, next_at, deletes_at)
      values (${invite}, ${email}, ${code}, 'infinity', ${deletesAt})`);
}

export function findMail(db: Db, invite: string): Promise<MailRow | null> {
  return db.maybeOne<MailRow>(named('groups_find_mail')`
    select invite, email, code from groups.mails where invite = ${invite}`);
}

/** The invite ended. */
export async function deleteMail(tx: Tx, invite: string): Promise<void> {
  await tx.execute(named('groups_delete_mail')`delete from groups.mails where invite = ${invite}`);
}

/** Deletes those whose time is over, at most `limit`; how many. */
export async function deleteMailsBefore(tx: Tx, now: Date, limit: number): Promise<number> {
  return await tx.execute(sql`
    delete from groups.mails where invite in (
      select invite from groups.mails where deletes_at <= ${now} limit ${limit} for update skip locked)`);
}
