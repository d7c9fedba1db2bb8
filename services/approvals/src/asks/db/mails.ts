import type { Tx } from '@hearth/db';
import { type PlaceKey, type RecipientRow, recipientColumns } from './recipients.ts';

/** Leases e-mails that are due, at most `limit`, until `until`. */
export async function claimMails(
  tx: Tx,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<RecipientRow[]> {
  return await tx.query<RecipientRow>({
    name: 'approvals_claim_mails',
    text: `
      update approvals.recipients r set mail_next_at = $2
      -- By where the locked rows are: of a join a prepared statement may read the whole table.
      where r.ctid = any(array(
        select ctid from approvals.recipients where mail_next_at <= $1
        order by mail_next_at limit $3 for update skip locked))
      returning ${recipientColumns}`,
    values: [now, until, limit],
  });
}

/** @param at.retryAt null when it went out, or is given up */
export async function noteMail(
  tx: Tx,
  { approval, position }: PlaceKey,
  { mailedAt, retryAt }: { mailedAt: Date | null; retryAt: Date | null },
): Promise<void> {
  await tx.execute({
    name: 'approvals_note_mail',
    text: `
      update approvals.recipients
      set mailed_at = coalesce($3, mailed_at), mail_next_at = $4, mail_attempts = mail_attempts + 1
      where approval = $1 and position = $2`,
    values: [approval, position, mailedAt, retryAt],
  });
}

/** Writes again to the recipients of that approval who were asked by mail and have not answered; how many. */
export async function mailAgain(tx: Tx, approval: string, now: Date): Promise<number> {
  return await tx.execute({
    name: 'approvals_mail_again',
    text: `
      update approvals.recipients set mail_next_at = $2, mail_attempts = 0
      where approval = $1 and kind = 'email' and decision = 'waiting'`,
    values: [approval, now],
  });
}
