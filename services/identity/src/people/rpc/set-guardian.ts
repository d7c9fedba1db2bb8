import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { badRequest, notFound } from '@hearth/errors';
import type { UnitOfWork } from '@hearth/outbox';
import type { PeopleService, PersonFacts } from '@hearth/proto/identity/v1/people';
import { type Call, type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { deleteGuardianship, insertGuardianship } from '../../shared/db/guardianships.ts';
import { lockPerson, type PersonRow } from '../../shared/db/people.ts';
import { requireStanding } from '../../shared/domain/standing.ts';
import { changePerson } from '../actions/change-person.ts';
import { noteConsent } from '../actions/note-consent.ts';
import { visiblePerson } from '../actions/visible-person.ts';
import type { Context } from '../context.ts';
import { checkAdult, checkMayGuard, placeGuardian, requireMinor } from '../domain/guardianship.ts';

const notTheirs = 'only a guardian of the child, or the app that holds them, can name a guardian';

/** Names the guardian of a minor, adds a second one, or hands the child over. Idempotent. */
export const setGuardian =
  (context: Context): UnaryHandler<typeof PeopleService.method.setGuardian> =>
  async (request, call) => {
    const child = await visiblePerson(context, request.id, call);
    mayName(call.caller, child);
    const guardian = await eligible(context, request.guardian, child, call);
    const named = { child: child.id, guardian, second: request.second === true, by: call.caller };
    const facts = await context.commit((tx) => name(context, tx, named));
    return context.people.show(facts, call.caller);
  };

/** @throws forbidden for anyone but the guardian and the app; bad_request for an adult */
function mayName(caller: Caller, child: PersonFacts): void {
  requireStanding(caller, child, ['guardian', 'holder'], notTheirs);
  requireMinor(child);
}

/**
 * uuid of the named adult: held by the child's app or, if a guardian hands over, in a group with them. Others
 * would have to be asked first.
 */
async function eligible(
  { groups, people }: Context,
  reference: string,
  child: PersonFacts,
  call: Call,
): Promise<string> {
  const facts = await people.resolve(reference, call.caller);
  if (facts !== null && child.guardians.includes(facts.id)) return facts.id;
  checkAdult(facts);
  if (facts.app !== '' && facts.app === child.app) return facts.id;
  if (call.caller.kind === callerKinds.PERSON) {
    const pairs = [{ one: call.caller.id, other: facts.id }];
    const { share } = await groups.shareGroup({ pairs }, { call });
    if (share[0] === true) return facts.id;
  }
  throw badRequest(
    "guardian: is somebody whom the child's app does not hold; a guardian must be a person of the same app, or share " +
      'a group with the guardian who names them',
    { code: 'held_elsewhere', field: 'guardian' },
  );
}

interface Named {
  child: string;
  guardian: string;
  second: boolean;
  by: Caller;
}

async function name(
  context: Context,
  tx: UnitOfWork,
  { child: id, guardian, second, by }: Named,
): Promise<PersonFacts> {
  const [child, adult] = await lockBoth(tx, id, guardian);
  if (child === null) throw notFound();
  const facts = context.people.toFacts(child);
  // Checked again: both may have changed since.
  mayName(by, facts);
  const named = adult && context.people.toFacts(adult);
  const handsOver = by.kind === callerKinds.PERSON ? by.id : null;
  const placed = placeGuardian({ present: child.guardians, named: guardian, second, by: handsOver });
  if (placed.removed === null && !placed.added) return facts;
  checkMayGuard(named, context.clock.now());
  if (placed.removed !== null) await deleteGuardianship(tx, id, placed.removed);
  if (placed.added) {
    await insertGuardianship(tx, id, guardian, nowDate(context.clock));
    await noteConsent(context, tx, { child: id, what: 'guardian', person: guardian, by });
  }
  const kept = child.guardians.filter((each) => each !== placed.removed);
  const guardians = placed.added ? [...kept, guardian] : kept;
  return await changePerson(context, tx, child, { guardians }, { changed: ['guardian'], by });
}

/** Locked in the order of ids, as in all code that locks two people. */
async function lockBoth(tx: Tx, one: string, other: string): Promise<[PersonRow | null, PersonRow | null]> {
  const first = await lockPerson(tx, one < other ? one : other);
  const second = await lockPerson(tx, one < other ? other : one);
  return one < other ? [first, second] : [second, first];
}
