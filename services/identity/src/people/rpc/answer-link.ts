import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { badRequest, forbidden, notFound } from '@hearth/errors';
import type { OutboxRow } from '@hearth/outbox';
import { isMinor } from '@hearth/people';
import type { PeopleService, PersonFacts } from '@hearth/proto/identity/v1/people';
import { type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { peopleAndCredentialsChanged } from '../../shared/actions/people.ts';
import { lockPerson } from '../../shared/db/people.ts';
import { standingOf } from '../../shared/domain/standing.ts';
import { changePerson } from '../actions/change-person.ts';
import type { PeopleContext } from '../context.ts';
import { lockAppLink, updateAnswer } from '../db/app-links.ts';
import { listAiIdsOf } from '../db/person-ais.ts';
import { findAppMinors } from '../db/person-apps.ts';
import { checkMinorsAllowed } from '../domain/guardianship.ts';

interface Answer {
  person: string;
  app: string;
  accept: boolean;
  by: Caller;
}

/** The person's yes or no, or their guardian's, to an app that asked to hold the account. */
export function answerLink(context: PeopleContext): UnaryHandler<typeof PeopleService.method.answerLink> {
  const { bus, database, outbox } = context;
  return async ({ app, accept, person }, { caller }) => {
    if (caller.kind !== callerKinds.PERSON)
      throw forbidden('only the person can answer this', { needsPerson: true });
    const answer = { person: person ?? caller.id, app, accept, by: caller };
    const { rows, ais } = await database.transaction((tx) => settle(context, tx, answer));
    outbox.committed(rows);
    if (rows.length > 0) peopleAndCredentialsChanged(bus, [answer.person], ais);
    return {};
  };
}

async function settle(
  context: PeopleContext,
  tx: Tx,
  { person: id, app, accept, by }: Answer,
): Promise<{ rows: OutboxRow[]; ais: string[] }> {
  const person = await lockPerson(tx, id);
  if (person === null) throw notFound();
  const facts = context.lookups.toFacts(person);
  mayAnswer(by, facts);
  const link = await lockAppLink(tx, app, id);
  if (link === null) throw notFound();
  if (link.answeredAt !== null) {
    if (link.accepted === accept) return { rows: [], ais: [] };
    throw badRequest('this was answered already; the app can ask again', { code: 'already_settled' });
  }
  await updateAnswer(tx, link, accept, nowDate(context.clock));
  if (!accept || person.app === app) return { rows: [], ais: [] };

  const minors = await findAppMinors(tx, app);
  if (minors === null) throw badRequest('the app that asked is no more', { code: 'not_waiting' });
  if (isMinor(facts)) checkMinorsAllowed(minors);
  // The id that the old app knew them by says nothing to the new one.
  const moved = { app, externalId: null };
  const { rows } = await changePerson(context, tx, person, moved, { changed: ['app'], by });
  return { rows, ais: await listAiIdsOf(tx, [id]) };
}

/** @throws not_found for whom the caller does not guard; forbidden for somebody under 18 who has a guardian */
function mayAnswer(caller: Caller, facts: PersonFacts): void {
  const standing = standingOf(caller, facts);
  if (standing === 'guardian') return;
  if (standing !== 'self') throw notFound();
  if (facts.guardians.length > 0) {
    throw forbidden('your guardian answers this for you', { code: 'guardian_needed' });
  }
}
