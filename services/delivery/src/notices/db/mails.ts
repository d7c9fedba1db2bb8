import type { Tx } from '@hearth/db';

/** An e-mail that waits to be sent. */
export interface MailRow {
  id: string;
  /** uuid of the recipient. */
  person: string;
  /** uuid of a person under 18 that it is about. */
  about: string | null;
  kind: string;
  title: string;
  body: string;
  link: string;
  /** Attempts made before. */
  attempts: number;
}

/** The outcome of an attempt. */
export interface MailOutcome {
  id: string;
  sentAt: Date | null;
  /** When it is tried again; null when it went out or is given up. */
  dueAt: Date | null;
}

/** E-mails that are due, at most `limit`, oldest first; no other process gets them until `until`. */
export async function claimMails(
  tx: Tx,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<MailRow[]> {
  return await tx.query<MailRow>({
    name: 'delivery_claim_mails',
    text: `
      update delivery.mails m set due_at = $2
      where m.id in (
        select id from delivery.mails where due_at <= $1 order by due_at, id limit $3 for update skip locked)
      returning m.id, m.person, m.about, m.kind, m.title, m.body, m.link, m.attempts`,
    values: [now, until, limit],
  });
}

/** Writes outcomes of attempts, all in one statement. */
export async function settleMails(tx: Tx, outcomes: readonly MailOutcome[]): Promise<void> {
  await tx.execute({
    name: 'delivery_settle_mails',
    text: `
      update delivery.mails m set sent_at = o.sent_at, due_at = o.due_at, attempts = m.attempts + 1
      from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as o (id, sent_at, due_at)
      where m.id = o.id`,
    values: [
      outcomes.map(({ id }) => id),
      outcomes.map(({ sentAt }) => sentAt),
      outcomes.map(({ dueAt }) => dueAt),
    ],
  });
}
