import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { badRequest, notFound } from '@hearth/errors';
import type { OutboxRow } from '@hearth/outbox';
import type { PeopleService, PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { lockPerson, updateDeletesAt } from '../../shared/db/people.ts';
import { appsConcerned } from '../actions/change-person.ts';
import { seenPerson } from '../actions/seen-person.ts';
import type { PeopleContext } from '../context.ts';
import { canBeTakenBack } from '../domain/deletion.ts';
import { deletionTakenBack } from '../domain/events.ts';
import { mayEndAccount } from './delete-account.ts';

/** Takes a deletion back. An account that is not to go stays as it is. */
export function keepAccount(context: PeopleContext): UnaryHandler<typeof PeopleService.method.keepAccount> {
  const { database, lookups, outbox } = context;
  return async (request, call) => {
    const facts = await seenPerson(context, request.id, call);
    mayEndAccount(call.caller, facts);
    const kept = await database.transaction((tx) => keep(context, tx, facts.id, call.caller));
    outbox.committed(kept.rows);
    return lookups.show(kept.facts, call.caller);
  };
}

async function keep(
  { clock, lookups, outbox }: PeopleContext,
  tx: Tx,
  id: string,
  by: Caller,
): Promise<{ facts: PersonFacts; rows: OutboxRow[] }> {
  const person = await lockPerson(tx, id);
  if (person === null) throw notFound();
  const facts = lookups.toFacts(person);
  mayEndAccount(by, facts);
  if (person.deletesAt === null) return { facts, rows: [] };
  if (!canBeTakenBack(person.deletesAt, nowDate(clock))) {
    throw badRequest('it is too late: the account is being deleted', { code: 'not_waiting' });
  }
  await updateDeletesAt(tx, id, null);
  const rows = [deletionTakenBack(outbox, facts, await appsConcerned(tx, person), by)];
  await outbox.announce(tx, rows);
  return { facts: lookups.toFacts({ ...person, deletesAt: null }), rows };
}
