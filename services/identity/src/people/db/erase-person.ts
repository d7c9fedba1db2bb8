import { sql, type Tx } from '@hearth/db';

/**
 * Deletes the person's sign-ins and related records: passkeys, challenges, codes, grants and account mails.
 */
export async function deleteSignInsOf(tx: Tx, person: string): Promise<void> {
  await tx.execute(sql`delete from identity.account_mails where person = ${person}`);
  await tx.execute(sql`delete from identity.passkeys where person = ${person}`);
  await tx.execute(sql`delete from identity.passkey_challenges where person = ${person}`);
  await tx.execute(sql`
    delete from identity.email_codes
    where person = ${person} or email = (select email from identity.people where id = ${person})`);
  await tx.execute(sql`
    delete from identity.oauth_objects
    where grant_id in (select id from identity.oauth_grants where person = ${person})`);
  await tx.execute(sql`delete from identity.oauth_grants where person = ${person}`);
}

/** Deletes the person's notes, feedback, app requests, and the consents about them. */
export async function deleteRecordsOf(tx: Tx, person: string): Promise<void> {
  await tx.execute(sql`delete from identity.notes where person = ${person}`);
  await tx.execute(sql`delete from identity.feedback where person = ${person}`);
  await tx.execute(sql`delete from identity.app_links where person = ${person}`);
  await tx.execute(sql`delete from identity.consents where child = ${person}`);
}

/**
 * Clears the person's AIs, which have been switched off by now. Their addresses stay, so that no other AI
 * gets them.
 */
export async function clearAisOf(tx: Tx, person: string, name: string): Promise<void> {
  await tx.execute(sql`
    update identity.ais
    set name = ${name}, name_before = null, description = '', away_until = null, away_note = ''
    where owner = ${person}`);
}
