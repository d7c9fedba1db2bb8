import type { Db, Tx } from '@hearth/db';
import { type RequestRow, requestColumns } from './request-messages.ts';

const held = `m.holder is not null and m.retracted_at is null and m.recipient_deleted_at is null`;

/** The mailboxes of messages that wait at a holder. */
export async function mailboxesHeldBy(db: Db, holder: string): Promise<string[]> {
  const rows = await db.query<{ recipient: string }>({
    name: 'messages_mailboxes_held_by',
    text: `select distinct m.recipient from messages.messages m where m.holder = $1 and ${held}`,
    values: [holder],
  });
  return rows.map(({ recipient }) => recipient);
}

/** The holders who see first the messages to a person under 18. */
export async function holdersFor(db: Db, child: string): Promise<string[]> {
  const rows = await db.query<{ holder: string }>({
    name: 'messages_holders_for',
    text: `
      select distinct m.holder from messages.messages m
      where m.recipient = $1 and m.person = $1 and m.box = 2 and ${held}`,
    values: [child],
  });
  return rows.map(({ holder }) => holder);
}

/** With that mailbox locked; the oldest first. */
export function lockHeld(tx: Tx, recipient: string, holder: string): Promise<RequestRow[]> {
  return tx.query<RequestRow>({
    name: 'messages_lock_held',
    text: `
      select ${requestColumns} from messages.messages m
      where m.recipient = $1 and m.holder = $2 and ${held} order by m.recipient_seq for update of m`,
    values: [recipient, holder],
  });
}

export async function passToHolder(tx: Tx, rows: readonly RequestRow[], holder: string): Promise<void> {
  await tx.execute({
    name: 'messages_pass_to_holder',
    text: `update messages.messages set holder = $2 where id = any($1::uuid[])`,
    values: [rows.map(({ id }) => id), holder],
  });
}
