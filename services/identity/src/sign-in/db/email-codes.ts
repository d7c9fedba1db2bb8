import { type Db, named, type Tx } from '@hearth/db';

export type CodePurpose = 'sign_in' | 'claim_guest';

export interface NewEmailCode {
  /** uuid */
  id: string;
  /** In lowercase. */
  email: string;
  purpose: CodePurpose;
  /** For claim_guest: the person who gets the address. */
  person: string | null;
  /** Identifies the requesting browser; empty for a program. */
  browser: string;
  /** Identifies the browser if it signed in with the address before; otherwise empty. */
  device: string;
  /** HMAC of the code. */
  codeHash: Buffer;
  expiresAt: Date;
}

/** Identifies a code's use: the same browser's next code for it replaces this one. */
type CodeUse = Pick<NewEmailCode, 'email' | 'purpose' | 'person' | 'browser'>;

export interface EmailCodeRow {
  id: string;
  codeHash: Buffer;
  tries: number;
}

/** Stores a code; earlier ones of the same browser and use stop working. */
export async function replaceEmailCode(tx: Tx, code: NewEmailCode, now: Date): Promise<void> {
  await tx.execute(named('identity_end_email_codes')`
    update identity.email_codes set used_at = ${now}
    where email = ${code.email} and purpose = ${code.purpose} and person is not distinct
      from ${code.person}::uuid
      and browser = ${code.browser} and used_at is null`);
  await tx.execute(named('identity_insert_email_code')`
    insert into identity.email_codes (id, email, purpose, person, browser, device, code_hash, created_at,
      expires_at)
    values (${code.id}, ${code.email}, ${code.purpose}, ${code.person}, ${code.browser}, ${code.device},
      ${code.codeHash}, ${now}, ${code.expiresAt})`);
}

/** Locks the working code for an address in this browser; null if there is none. */
export async function lockEmailCode(
  tx: Tx,
  { email, purpose, person, browser }: CodeUse,
  now: Date,
): Promise<EmailCodeRow | null> {
  return await tx.maybeOne<EmailCodeRow>(named('identity_lock_email_code')`
    select id, code_hash as "codeHash", tries from identity.email_codes
    where email = ${email} and purpose = ${purpose} and person is not distinct from ${person}::uuid
      and browser = ${browser} and used_at is null and expires_at > ${now}
    order by created_at desc, id desc limit 1 for update`);
}

/** Uses up a code. */
export async function endEmailCode(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.execute(named('identity_end_email_code')`
    update identity.email_codes set used_at = ${now} where id = ${id}`);
}

/** Counts a wrong try; `over` ends the code. */
export async function countWrongTry(tx: Tx, id: string, now: Date, over: boolean): Promise<void> {
  await tx.execute(named('identity_count_wrong_try')`
    update identity.email_codes set tries = tries + 1, tried_at = ${now}, used_at = ${over ? now : null}
    where id = ${id}`);
}

/** Wrong tries at an address's codes since a moment: of one known device, or of all unknown ones. */
export async function findWrongTries(
  db: Db | Tx,
  { email, device }: Pick<NewEmailCode, 'email' | 'device'>,
  since: Date,
): Promise<{ count: number; lastAt: Date | null }> {
  return await db.one<{ count: number; lastAt: Date | null }>(named('identity_find_wrong_tries')`
    select coalesce(sum(tries), 0)::int as count, max(tried_at) as "lastAt" from identity.email_codes
    where email = ${email} and device = ${device} and created_at > ${since}`);
}
