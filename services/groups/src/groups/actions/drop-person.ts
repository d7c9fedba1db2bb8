import { day } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import { addressOf, describePerson } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { ageBandOf } from '../../shared/domain/enum-names.ts';
import type { Context } from '../context.ts';
import { listBelonging } from '../db/belonging.ts';
import { addDeparture, type Departure, findDeparture } from '../db/departures.ts';
import { forgetJoined, listJoinedBy } from '../db/joined-elsewhere.ts';
import { deleteMember, findMember, type MemberRow } from '../db/members.ts';
import { type AnnouncedPerson, memberLeft } from '../domain/events.ts';
import { changeOfMember } from './group-machine.ts';
import { findSuccessor, succeed } from './succession.ts';

type Known = Map<string, PersonFacts>;

/**
 * Removes a person whose account ended from all groups. Each group has its own transaction, which adds to the
 * stored result: after a crash or a timeout, the next call continues with the remaining groups.
 *
 * @param before drops only memberships from before this time
 */
export async function dropFromGroups(context: Context, person: string, before?: Date): Promise<Departure> {
  const { database, joinRequests, people } = context;
  await joinRequests.withdrawAll(person, before);
  const known: Known = await people.find([person]);
  for (const { id, joined_at } of await listBelonging(database.db, person))
    if (before === undefined || joined_at <= before) await dropFrom(context, id, person, known);
  for (const group of await listJoinedBy(database.db, person))
    await leaveElsewhere(context, group, person, known.get(person));
  const departure = await findDeparture(database.db, person);
  return departure === null
    ? { organizers: [], archived: [], apps: [] }
    : { ...departure, apps: [...new Set(departure.apps)] };
}

/**
 * Queues the departure for the remote home; sent as a rule's act, because the person did not ask for it.
 *
 * @param group reference of the remote group
 */
async function leaveElsewhere(
  { clock, commit, copies }: Context,
  group: string,
  person: string,
  facts: PersonFacts | undefined,
): Promise<void> {
  await commit(async (tx) => {
    await forgetJoined(tx, person, group);
    if (facts === undefined) return;
    await copies.send(
      tx,
      { reference: group },
      {
        ...{ operation: 'leave_group', request: {}, by: 'rule', proof: 'key', via: 'home', kept: {} },
        actor: { id: person, address: addressOf(facts), described: describePerson(facts) },
        expiresAt: new Date(clock.now() + 14 * day),
      },
    );
  });
}

const mostTries = 3;

/**
 * The successor is known only once the group is locked, but is looked up without a lock, so this may take two
 * tries.
 */
async function dropFrom(context: Context, group: string, person: string, known: Known): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    const successor = await tryDrop(context, group, person, tried < mostTries ? known : null);
    if (successor === null) return;
    for (const facts of (await context.people.find([successor])).values()) known.set(facts.id, facts);
    // The successor's facts could not be found: the last try announces them without a name.
    if (!known.has(successor)) tried = mostTries - 1;
  }
}

/**
 * Returns the uuid of a successor whose facts are needed first, or null once done. With `known` null, nothing
 * is looked up.
 */
async function tryDrop(
  context: Context,
  id: string,
  person: string,
  known: Known | null,
): Promise<string | null> {
  try {
    return await context.groups.locked(id, async (tx, group) => {
      const member = await findMember(tx, id, person);
      if (member === null) return null;
      const successor = await findSuccessor(context, tx, group, member);
      if (successor !== null && known !== null && !known.has(successor.person)) return successor.person;

      const nameOf = (row: MemberRow) => known?.get(row.person) ?? nameless(row);
      const succession = await succeed(context, tx, group, member, nameOf);
      const change = await changeOfMember(tx, group, person);
      await deleteMember(tx, id, person);
      const departure: Departure = {
        organizers: succession.successor === null ? [] : [{ group: id, person: succession.successor }],
        archived: succession.archived ? [id] : [],
        apps: [...new Set([group.app, ...change.apps])].filter((app) => app !== ''),
      };
      await addDeparture(tx, person, departure, new Date(context.clock.now()));
      tx.announce(memberLeft(change, nameOf(member)));
      return null;
    });
  } catch (error) {
    // Deleted meanwhile, so it had no members left.
    if (isHearthError(error) && error.kind === 'not_found') return null;
    throw error;
  }
}

/** The announced form of a member whose facts are unknown. */
export function nameless({ person, age_band }: MemberRow): AnnouncedPerson {
  return { id: person, handle: '', name: '', ageBand: ageBandOf(age_band) };
}
