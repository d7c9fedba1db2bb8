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
  /**
   * The app's name; or the day of deletion in the person's time zone, followed by the operator's reason on a
   * second line. Empty if neither applies.
   */
  detail: string;
  expiresAt: Date;
}

/** An account mail, with the language of its person's account. */
export type StoredAccountMail = Pick<AccountMail, 'id' | 'email' | 'what' | 'detail'> & { language: string };

export async function insertAccountMail(tx: Tx, mail: AccountMail): Promise<void> {
  await tx.execute(sql`
    insert into identity.account_mails (id, person, email, what, detail, expires_at)
    values (${mail.id}, ${mail.person}, ${mail.email}, ${mail.what}, ${mail.detail}, ${mail.expiresAt})`);
}

export async function findAccountMails(db: Db, ids: readonly string[]): Promise<StoredAccountMail[]> {
  return await db.query<StoredAccountMail>(sql`
    select m.id, m.email, m.what, m.detail, p.language
    from identity.account_mails m join identity.people p on p.id = m.person where m.id = any(${ids})`);
}
