import type { Tx } from '@hearth/db';

/** The sender counts as that kind for the person from now on. */
export async function labelSender(
  tx: Tx,
  person: string,
  sender: string,
  kind: string,
  at: Date,
): Promise<void> {
  await tx.execute({
    name: 'approvals_label_sender',
    text: `
      insert into approvals.senders (person, sender, kind, changed_at) values ($1, $2, $3, $4)
      on conflict (person, sender) do update set kind = excluded.kind, changed_at = excluded.changed_at`,
    values: [person, sender, kind, at],
  });
}

/** The sender reaches the person's inbox from now on. */
export async function rememberSender(tx: Tx, person: string, sender: string, at: Date): Promise<void> {
  await tx.execute({
    name: 'approvals_remember_sender',
    text: `
      insert into approvals.senders (person, sender, inbox, changed_at) values ($1, $2, true, $3)
      on conflict (person, sender) do update set inbox = excluded.inbox, changed_at = excluded.changed_at`,
    values: [person, sender, at],
  });
}

/** A blocked sender does not reach the inbox any more. */
export async function forgetInbox(tx: Tx, person: string, sender: string, at: Date): Promise<void> {
  await tx.execute({
    name: 'approvals_forget_inbox',
    text: `
      update approvals.senders set inbox = false, changed_at = $3
      where person = $1 and sender = $2 and inbox`,
    values: [person, sender, at],
  });
}

export async function forgetSenders(tx: Tx, senders: readonly string[]): Promise<void> {
  await tx.execute({
    name: 'approvals_forget_senders',
    text: 'delete from approvals.senders where sender = any($1::uuid[])',
    values: [senders],
  });
}
