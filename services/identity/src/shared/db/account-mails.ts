import { type Db, sql, type Tx } from '@hearth/db';

/** A change of an account that its person learns about by mail. */
export type AccountMailKind =
  | 'email_changed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'app_holds'
  | 'app_let_go'
  | 'child_added'
  | 'closing';

export interface AccountMail {
  /** uuid */
  id: string;
  person: string;
  /** The person's address when it happened. */
  email: string;
  what: AccountMailKind;
  /** The app's name, followed by the operator's reason on a second line. Older mails have the day of deletion for a name. */
  detail: string;
  deletesAt: Date | null;
  expiresAt: Date;
}

/** An account mail, with the language and the time zone of its person's account. */
export type StoredAccountMail = Pick<AccountMail, 'id' | 'email' | 'what' | 'detail' | 'deletesAt'> & {
  language: string;
  timeZone: string;
};

export async function insertAccountMail(tx: Tx, mail: AccountMail): Promise<void> {
  await tx.execute(sql`
    insert into identity.account_mails (id, person, email, what, detail, deletes_at, expires_at)
    values (${mail.id}, ${mail.person}, ${mail.email}, ${mail.what}, ${mail.detail}, ${mail.deletesAt},
      ${mail.expiresAt})`);
}

export async function findAccountMails(db: Db, ids: readonly string[]): Promise<StoredAccountMail[]> {
  return await db.query<StoredAccountMail>(sql`
    select m.id, m.email, m.what, m.detail, m.deletes_at as "deletesAt", p.language, p.time_zone as "timeZone"
    from identity.account_mails m join identity.people p on p.id = m.person where m.id = any(${ids})`);
}
