import { nowDate } from '@hearth/clock';
import { badRequest } from '@hearth/errors';
import { sizeOf } from '@hearth/limits';
import type { UnitOfWork } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import { releaseAisOf } from '../../ais/module.ts';
import { tellByMail } from '../../shared/actions/tell-by-mail.ts';
import { type PersonRow, updateDeletesAt } from '../../shared/db/people.ts';
import type { Context } from '../context.ts';
import { canBeTakenBack, deletesAt } from '../domain/deletion.ts';
import { deletionAsked, deletionTakenBack } from '../domain/events.ts';
import { appsConcerned } from './change-person.ts';

/**
 * Schedules the deletion of an account (locked by `tx`); a scheduled one keeps its time.
 *
 * @param reason the operator's
 */
export async function askDeletion(
  context: Context,
  tx: UnitOfWork,
  person: PersonRow,
  by: Caller,
  reason = '',
): Promise<PersonRow & { deletesAt: Date }> {
  const { clock, limits, people } = context;
  if (person.deletesAt !== null) return { ...person, deletesAt: person.deletesAt };
  const end = deletesAt(nowDate(clock), sizeOf(limits, 'deletion_days'));
  await updateDeletesAt(tx, person.id, end);
  await tellByMail(context, tx, person, 'closing', reason === '' ? '' : `\n${reason}`, end);
  const apps = person.app === null ? [] : [person.app];
  await releaseAisOf(context, tx, person.id, { apps, by });
  const told = { deletesAt: end, apps: await appsConcerned(tx, person), reason };
  tx.announce(deletionAsked(people.toFacts(person), told, by));
  return { ...person, deletesAt: end };
}

/**
 * Cancels the pending deletion of an account (locked by `tx`), if any.
 *
 * @param reason the operator's
 * @throws not_waiting once it is under way
 */
export async function takeDeletionBack(
  { clock, people }: Context,
  tx: UnitOfWork,
  person: PersonRow,
  by: Caller,
  reason = '',
): Promise<PersonRow> {
  if (person.deletesAt === null) return person;
  if (!canBeTakenBack(person.deletesAt, nowDate(clock)))
    throw badRequest('it is too late: the account is being deleted', { code: 'not_waiting' });
  await updateDeletesAt(tx, person.id, null);
  tx.announce(
    deletionTakenBack(people.toFacts(person), { apps: await appsConcerned(tx, person), reason }, by),
  );
  return { ...person, deletesAt: null };
}
