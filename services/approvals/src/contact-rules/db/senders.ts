import { named, type Tx } from '@hearth/db';

/** Labels the sender with that kind for the person. */
export async function labelSender(
  tx: Tx,
  person: string,
  sender: string,
  kind: string,
  at: Date,
): Promise<void> {
  await tx.execute(named('approvals_label_sender')`
    insert into approvals.senders (person, sender, kind, changed_at)
      values (${person}, ${sender}, ${kind}, ${at})
    on conflict (person, sender) do update set kind = excluded.kind, changed_at = excluded.changed_at`);
}

/** Lets the sender into the person's inbox. */
export async function rememberSender(tx: Tx, person: string, sender: string, at: Date): Promise<void> {
  await tx.execute(named('approvals_remember_sender')`
    insert into approvals.senders (person, sender, inbox, changed_at)
      values (${person}, ${sender}, true, ${at})
    on conflict (person, sender) do update set inbox = excluded.inbox, changed_at = excluded.changed_at`);
}

/** Stops letting a blocked sender into the inbox. */
export async function forgetInbox(tx: Tx, person: string, sender: string, at: Date): Promise<void> {
  await tx.execute(named('approvals_forget_inbox')`
    update approvals.senders set inbox = false, changed_at = ${at}
    where person = ${person} and sender = ${sender} and inbox`);
}

export async function forgetSenders(tx: Tx, senders: readonly string[], before: Date): Promise<void> {
  await tx.execute(named('approvals_forget_senders')`
    delete from approvals.senders where sender = any(${senders}::uuid[]) and changed_at <= ${before}`);
}
