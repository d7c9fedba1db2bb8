import { named, sql, type Tx } from '@hearth/db';

export type CodePurpose = 'sign_in' | 'claim_guest';

export interface NewEmailCode {
  /** uuid */
  id: string;
  /** In small letters. */
  email: string;
  purpose: CodePurpose;
  /** The person who is to get the address, for claim_guest. */
  person: string | null;
  /** HMAC of the code. */
  codeHash: Buffer;
  expiresAt: Date;
}

export interface EmailCodeRow {
  id: string;
  codeHash: Buffer;
  tries: number;
}

/** Stores a code; those that were sent to the address for the same before do not work any more. */
export async function replaceEmailCode(tx: Tx, code: NewEmailCode, now: Date): Promise<void> {
  await tx.execute(
    named(
      'identity_end_email_codes',
      sql`
        update identity.email_codes set used_at = ${now}
        where email = ${code.email} and purpose = ${code.purpose} and person is not distinct from ${code.person}::uuid
          and used_at is null`,
    ),
  );
  await tx.execute(
    named(
      'identity_insert_email_code',
      sql`
        insert into identity.email_codes (id, email, purpose, person, code_hash, created_at, expires_at)
        values (${code.id}, ${code.email}, ${code.purpose}, ${code.person}, ${code.codeHash}, ${now},
          ${code.expiresAt})`,
    ),
  );
}

/** The code that works for an address, locked; null when there is none. */
export async function lockEmailCode(
  tx: Tx,
  { email, purpose, person }: Pick<NewEmailCode, 'email' | 'purpose' | 'person'>,
  now: Date,
): Promise<EmailCodeRow | null> {
  return await tx.maybeOne<EmailCodeRow>(
    named(
      'identity_lock_email_code',
      sql`
        select id, code_hash as "codeHash", tries from identity.email_codes
        where email = ${email} and purpose = ${purpose} and person is not distinct from ${person}::uuid
          and used_at is null and expires_at > ${now}
        order by created_at desc, id desc limit 1 for update`,
    ),
  );
}

/** Counts a try; `usedAt` ends the code. */
export async function updateEmailCode(tx: Tx, id: string, tries: number, usedAt: Date | null): Promise<void> {
  await tx.execute(
    named(
      'identity_update_email_code',
      sql`update identity.email_codes set tries = ${tries}, used_at = ${usedAt} where id = ${id}`,
    ),
  );
}
