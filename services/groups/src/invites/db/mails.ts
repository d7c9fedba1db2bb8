import type { Tx } from '@hearth/db';

/** An invite that is to go to an e-mail address. */
export interface MailRow {
  /** uuid of the invite. */
  invite: string;
  email: string;
  /** Its code under seal. */
  code: Buffer;
  /** How often sending it failed. */
  attempts: number;
}

/** It goes out from `now` on. */
export async function insertMail(
  tx: Tx,
  { invite, email, code }: Omit<MailRow, 'attempts'>,
  now: Date,
): Promise<void> {
  await tx.execute({
    name: 'groups_insert_mail',
    text: `insert into groups.mails (invite, email, code, next_at) values ($1, $2, $3, $4)`,
    values: [invite, email, code, now],
  });
}

/** Claims those that are due until `until`, at most `limit`. */
export async function claimMails(
  tx: Tx,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<MailRow[]> {
  return await tx.query<MailRow>({
    name: 'groups_claim_mails',
    text: `
      update groups.mails m set next_at = $2
      where m.invite = any(array(
        select invite from groups.mails where next_at <= $1 order by next_at limit $3 for update skip locked))
      returning m.invite, m.email, m.code, m.attempts`,
    values: [now, until, limit],
  });
}

/** It went out, may not go there, or is given up; the address is deleted with it. */
export async function deleteMail(tx: Tx, invite: string): Promise<void> {
  await tx.execute({
    name: 'groups_delete_mail',
    text: `delete from groups.mails where invite = $1`,
    values: [invite],
  });
}

/** It is retried at `next`. */
export async function postponeMail(tx: Tx, invite: string, next: Date): Promise<void> {
  await tx.execute({
    name: 'groups_postpone_mail',
    text: `update groups.mails set next_at = $2, attempts = attempts + 1 where invite = $1`,
    values: [invite, next],
  });
}
