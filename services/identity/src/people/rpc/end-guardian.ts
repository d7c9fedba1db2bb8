import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { badRequest, forbidden, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { OutboxRow } from '@hearth/outbox';
import type { PeopleService, PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { peopleAndCredentialsChanged } from '../../shared/actions/people.ts';
import { deleteGuardianship, listGuardianships, updateEnds } from '../../shared/db/guardianships.ts';
import { lockPerson } from '../../shared/db/people.ts';
import { requireStanding } from '../../shared/domain/standing.ts';
import { toWord } from '../../shared/domain/words.ts';
import { changePerson } from '../actions/change-person.ts';
import { noteConsent } from '../actions/note-consent.ts';
import { seenPerson } from '../actions/seen-person.ts';
import type { PeopleContext } from '../context.ts';
import { hasEndedGuardianship } from '../db/consents.ts';
import { listAiIdsOf } from '../db/person-ais.ts';
import { checkMayEnd, sayEnd } from '../domain/guardianship.ts';

interface Said {
  ended: boolean;
  waitingFor: string[];
  rows: OutboxRow[];
  ais: string[];
}

const over: Said = { ended: true, waitingFor: [], rows: [], ais: [] };

/** Notes that a teenager, or their guardian, says that the guardianship shall end; when both have, it does. */
export function endGuardian(context: PeopleContext): UnaryHandler<typeof PeopleService.method.endGuardian> {
  const { bus, database, outbox } = context;
  return async (request, call) => {
    const { caller } = call;
    if (await endedBefore(context, request.id, caller)) return { ended: true, waitingFor: [] };
    const child = await seenPerson(context, request.id, call);
    maySay(caller, child);
    const done = await database.transaction((tx) => say(context, tx, child.id, caller));
    outbox.committed(done.rows);
    if (done.rows.length > 0) peopleAndCredentialsChanged(bus, [child.id], done.ais);
    return { ended: done.ended, waitingFor: done.waitingFor };
  };
}

/** Who was the guardian cannot see the child any more, and is answered the same when they repeat it. */
async function endedBefore({ database, lookups }: PeopleContext, reference: string, caller: Caller) {
  const id = parseId('per', reference);
  if (id === null || caller.kind !== callerKinds.PERSON) return false;
  const facts = await lookups.find(id);
  if (facts === null || facts.guardians.includes(caller.id)) return false;
  return await hasEndedGuardianship(database.db, id, caller.id);
}

/** @throws forbidden for everybody but the two; bad_request for an adult, and for a child under 13 */
function maySay(caller: Caller, child: PersonFacts): void {
  if (caller.kind !== callerKinds.PERSON) {
    throw forbidden('only the teenager and the guardian can say so; act for one of them', {
      needsPerson: true,
    });
  }
  requireStanding(
    caller,
    child,
    ['self', 'guardian'],
    'only the teenager and their guardian can end a guardianship',
  );
  if (child.ageBand === AgeBand.ADULT) {
    throw badRequest('id: somebody of 18 or more has no guardian', { code: 'bad_field', field: 'id' });
  }
  checkMayEnd(toWord(AgeBand, child.ageBand));
}

async function say(context: PeopleContext, tx: Tx, id: string, by: Caller): Promise<Said> {
  const child = await lockPerson(tx, id);
  if (child === null) throw notFound();
  maySay(by, context.lookups.toFacts(child));
  const present = await listGuardianships(tx, id);
  if (present.length === 0) return over;

  const byChild = by.id === id;
  const { ended, noted, left } = sayEnd(present, byChild ? null : by.id, nowDate(context.clock));
  for (const row of noted) await updateEnds(tx, row);
  for (const { guardian } of ended) {
    await deleteGuardianship(tx, id, guardian);
    await noteConsent(context, tx, { child: id, what: 'guardian_ended', person: guardian, by });
  }
  const waitingFor = waits(byChild, left.length, ended.length);
  if (ended.length === 0) return { ended: false, waitingFor, rows: [], ais: [] };
  // Nobody is left who could let AIs act for the child.
  const withdrawn = left.length === 0 && child.aiShare;
  const change = { guardians: left.map(({ guardian }) => guardian), ...(withdrawn && { aiShare: false }) };
  const changed = ['guardian', ...(withdrawn ? ['ai_share'] : [])];
  const { rows } = await changePerson(context, tx, child, change, { changed, by });
  return { ended: waitingFor.length === 0, waitingFor, rows, ais: await listAiIdsOf(tx, [id]) };
}

/** For the child it is over when nobody guards them any more, for a guardian when they do not. */
function waits(byChild: boolean, left: number, ended: number): string[] {
  if (byChild) return left === 0 ? [] : ['guardian'];
  return ended === 0 ? ['child'] : [];
}
