import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { notFound } from '@hearth/errors';
import type { OutboxRow } from '@hearth/outbox';
import type { PeopleService, PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { lockPerson, updateDeletesAt } from '../../shared/db/people.ts';
import { requireStanding, type Standing } from '../../shared/domain/standing.ts';
import { appsConcerned } from '../actions/change-person.ts';
import { seenPerson } from '../actions/seen-person.ts';
import type { PeopleContext } from '../context.ts';
import { checkConfirm, deletesAt, requireFreshSignIn } from '../domain/deletion.ts';
import { deletionAsked } from '../domain/events.ts';

/** Lets an account go in a few days. Repeated, it answers the same moment. */
export function deleteAccount(
  context: PeopleContext,
): UnaryHandler<typeof PeopleService.method.deleteAccount> {
  const { clock, database, outbox } = context;
  return async (request, call) => {
    const { caller } = call;
    const facts = await seenPerson(context, request.id, call);
    if (mayEndAccount(caller, facts) !== 'holder') requireFreshSignIn(caller, nowDate(clock));
    checkConfirm(request.confirm, facts.handle);
    const { at, rows } = await database.transaction((tx) => ask(context, tx, facts.id, caller));
    outbox.committed(rows);
    return { deletesAt: timestampFromDate(at) };
  };
}

/** @throws forbidden for everybody else; a child under 13 has a guardian for this */
export function mayEndAccount(caller: Caller, facts: PersonFacts): Standing {
  const child = facts.ageBand === AgeBand.CHILD;
  return requireStanding(
    caller,
    facts,
    child ? ['guardian', 'holder'] : ['self', 'guardian', 'holder'],
    child
      ? 'only the guardian of a child, or the app that holds them, can delete the account or keep it'
      : 'only the person themselves, their guardian, or the app that holds them can delete the account or keep it',
  );
}

async function ask(
  { clock, days, lookups, outbox }: PeopleContext,
  tx: Tx,
  id: string,
  by: Caller,
): Promise<{ at: Date; rows: OutboxRow[] }> {
  const person = await lockPerson(tx, id);
  if (person === null) throw notFound();
  const facts = lookups.toFacts(person);
  mayEndAccount(by, facts);
  if (person.deletesAt !== null) return { at: person.deletesAt, rows: [] };
  const at = deletesAt(nowDate(clock), days.deletion);
  await updateDeletesAt(tx, id, at);
  const rows = [deletionAsked(outbox, facts, { deletesAt: at, apps: await appsConcerned(tx, person) }, by)];
  await outbox.announce(tx, rows);
  return { at, rows };
}
