import { type Db, sql, type Tx } from '@hearth/db';

/** A consent about a minor. */
export interface Consent {
  /** uuid */
  id: string;
  child: string;
  /** uuid of the consenting person, if a person consented. */
  person: string | null;
  app: string | null;
  what: 'account' | 'guardian' | 'guardian_ended' | 'ai_share';
  method: 'tap' | 'passkey' | 'email' | 'app';
  textVersion: string;
  at: Date;
}

export async function insertConsent(tx: Tx, consent: Consent): Promise<void> {
  await tx.execute(sql`
    insert into identity.consents (id, child, person, app, what, method, text_version, at)
    values (${consent.id}, ${consent.child}, ${consent.person}, ${consent.app}, ${consent.what},
      ${consent.method}, ${consent.textVersion}, ${consent.at})`);
}

/** Whether this person once agreed to end their guardianship of the child. */
export async function hasEndedGuardianship(db: Db, child: string, person: string): Promise<boolean> {
  const row = await db.maybeOne(sql`
    select 1 as found from identity.consents
    where child = ${child} and person = ${person} and what = 'guardian_ended' limit 1`);
  return row !== null;
}
