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

/** The sender goes to the person's inbox from now on, or no longer does. */
export async function rememberSender(
  tx: Tx,
  person: string,
  sender: string,
  inbox: boolean,
  at: Date,
): Promise<void> {
  await tx.execute({
    name: 'approvals_remember_sender',
    text: `
      insert into approvals.senders (person, sender, inbox, changed_at) values ($1, $2, $3, $4)
      on conflict (person, sender) do update set inbox = excluded.inbox, changed_at = excluded.changed_at`,
    values: [person, sender, inbox, at],
  });
}

/** Who was remembered loses that with a block: of a person their AIs too, as far as they are named. */
export async function forgetInbox(tx: Tx, person: string, sender: string, at: Date): Promise<void> {
  await tx.execute({
    name: 'approvals_forget_inbox',
    text: `
      update approvals.senders set inbox = false, changed_at = $3
      where person = $1 and sender = $2 and inbox`,
    values: [person, sender, at],
  });
}
