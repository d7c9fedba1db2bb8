import { hour, nowDate } from '@hearth/clock';
import type { UnitOfWork } from '@hearth/outbox';
import type { Host } from '@hearth/runtime';
import { type AccountMailKind, insertAccountMail } from '../db/account-mails.ts';
import type { PersonRow } from '../db/people.ts';

/** Delivery retries a mail for about nine hours. */
const keptMs = 12 * hour;

/**
 * Mails a person about a change of their account, at the address they had before it; does nothing if there is
 * none.
 */
export async function tellByMail(
  { clock, ids }: Pick<Host, 'clock' | 'ids'>,
  tx: UnitOfWork,
  { id: person, email }: Pick<PersonRow, 'id' | 'email'>,
  what: AccountMailKind,
  detail = '',
  deletesAt: Date | null = null,
): Promise<void> {
  if (email === null) return;
  const id = ids.uuid();
  const expiresAt = new Date(nowDate(clock).getTime() + keptMs);
  await insertAccountMail(tx, { id, person, email, what, detail, deletesAt, expiresAt });
  tx.announce({ data: { case: 'sendDue', value: { kind: 'account_mail', id } } });
}
