import { hour, nowDate } from '@hearth/clock';
import type { UnitOfWork } from '@hearth/outbox';
import type { Host } from '@hearth/runtime';
import { type AccountMailKind, insertAccountMail } from '../db/account-mails.ts';
import type { PersonRow } from '../db/people.ts';

/** A mail is tried for about nine hours. */
const keptMs = 12 * hour;

/** Tells a person by mail what happened to their account, at the address that is theirs until now; without one nothing goes out. */
export async function tellByMail(
  { clock, ids }: Pick<Host, 'clock' | 'ids'>,
  tx: UnitOfWork,
  { id: person, email }: Pick<PersonRow, 'id' | 'email'>,
  what: AccountMailKind,
  detail = '',
): Promise<void> {
  if (email === null) return;
  const id = ids.uuid();
  const expiresAt = new Date(nowDate(clock).getTime() + keptMs);
  await insertAccountMail(tx, { id, person, email, what, detail, expiresAt });
  tx.announce({ data: { case: 'sendDue', value: { kind: 'account_mail', id } } });
}
