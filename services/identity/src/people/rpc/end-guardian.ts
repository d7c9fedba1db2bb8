import { nowDate } from '@hearth/clock';
import { enumNames } from '@hearth/enum-names';
import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { UnitOfWork } from '@hearth/outbox';
import type { PeopleService, PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBandSchema } from '@hearth/proto/identity/v1/resources';
import { type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { deleteGuardianship, listGuardianships, updateEnds } from '../../shared/db/guardianships.ts';
import { lockPerson } from '../../shared/db/people.ts';
import { requireStanding } from '../../shared/domain/standing.ts';
import { changePerson } from '../actions/change-person.ts';
import { noteConsent } from '../actions/note-consent.ts';
import { visiblePerson } from '../actions/visible-person.ts';
import type { Context } from '../context.ts';
import { hasEndedGuardianship } from '../db/consents.ts';
import { checkMayEnd, requireMinor, sayEnd } from '../domain/guardianship.ts';

interface GuardianshipEnd {
  ended: boolean;
  waitingFor: string[];
}

const over: GuardianshipEnd = { ended: true, waitingFor: [] };

/** Records that a teenager or their guardian wants to end the guardianship; it ends once both agree. */
export const endGuardian =
  (context: Context): UnaryHandler<typeof PeopleService.method.endGuardian> =>
  async (request, call) => {
    const { caller } = call;
    if (await endedBefore(context, request.id, caller)) return over;
    const child = await visiblePerson(context, request.id, call);
    maySay(caller, child);
    return await context.commit((tx) => say(context, tx, child.id, caller));
  };

/** A former guardian can no longer see the child, but a repeated call gets the same answer. */
async function endedBefore({ database, people }: Context, reference: string, caller: Caller) {
  const id = parseId('per', reference);
  if (id === null || caller.kind !== callerKinds.PERSON) return false;
  const facts = await people.find(id);
  if (facts === null || facts.guardians.includes(caller.id)) return false;
  return await hasEndedGuardianship(database.db, id, caller.id);
}

/** @throws forbidden for anyone but the two; bad_request for an adult, or a child under 13 */
function maySay(caller: Caller, child: PersonFacts): void {
  requireStanding(
    caller,
    child,
    ['self', 'guardian'],
    'only the teenager and their guardian can end a guardianship',
  );
  requireMinor(child);
  checkMayEnd(enumNames(AgeBandSchema).nameOf(child.ageBand));
}

async function say(context: Context, tx: UnitOfWork, id: string, by: Caller): Promise<GuardianshipEnd> {
  const child = await lockPerson(tx, id);
  if (child === null) throw notFound();
  maySay(by, context.people.toFacts(child));
  const present = await listGuardianships(tx, id);
  if (present.length === 0) return over;
  const byChild = by.id === id;
  const { ended, noted, left } = sayEnd(present, byChild ? null : by.id, nowDate(context.clock));
  for (const row of noted) await updateEnds(tx, row);
  for (const { guardian } of ended) {
    await deleteGuardianship(tx, id, guardian);
    await noteConsent(context, tx, { child: id, what: 'guardian_ended', person: guardian, by });
  }
  const waitingFor = stillToSay(byChild, left.length, ended.length);
  if (ended.length === 0) return { ended: false, waitingFor };
  // No guardian is left to let AIs act for the child.
  const withdrawn = left.length === 0 && child.aiShare;
  const change = { guardians: left.map(({ guardian }) => guardian), ...(withdrawn && { aiShare: false }) };
  const changed = ['guardian', ...(withdrawn ? ['ai_share'] : [])];
  await changePerson(context, tx, child, change, { changed, by });
  return { ended: waitingFor.length === 0, waitingFor };
}

/**
 * For the child it is over once no guardian is left; for a guardian, once their own guardianship has ended.
 */
function stillToSay(byChild: boolean, left: number, ended: number): string[] {
  if (byChild) return left === 0 ? [] : ['guardian'];
  return ended === 0 ? ['child'] : [];
}
