import { isHearthError } from '@hearth/errors';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { dropWishes } from '../../invites/actions/drop-join-requests.ts';
import { ageBandOf } from '../../shared/domain/enum-names.ts';
import { groupsTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { listBelonging } from '../db/belonging.ts';
import { addDeparture, type Departure, findDeparture } from '../db/departures.ts';
import { raiseSeq } from '../db/groups.ts';
import { appsOfMembers, deleteMember, findMember, type MemberRow } from '../db/members.ts';
import { type AnnouncedPerson, memberLeft } from '../domain/events.ts';
import { changeGroup } from './change-group.ts';
import { findFollower, succeed } from './succession.ts';

type Known = Map<string, PersonFacts>;

/**
 * Takes somebody out of every group because their account ends. One group at a time, each in a transaction of its own
 * that adds to what is answered: what a crash or a deadline cuts short goes on when it is asked again.
 */
export async function dropFromGroups(context: Context, person: string): Promise<Departure> {
  const { database, people } = context;
  await dropWishes(context, person);
  const known: Known = await people.find([person]);
  for (const { id } of await listBelonging(database.db, person)) await dropFrom(context, id, person, known);
  return once((await findDeparture(database.db, person)) ?? { organizers: [], archived: [], apps: [] });
}

const mostTries = 3;

/** Who follows is known with the group locked alone, and is asked for with nothing locked: so it may take two tries. */
async function dropFrom(context: Context, group: string, person: string, known: Known): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    const follower = await tryDrop(context, group, person, tried < mostTries ? known : null);
    if (follower === null) return;
    for (const facts of (await context.people.find([follower])).values()) known.set(facts.id, facts);
    // Somebody of whom nothing is known is announced without a name.
    if (!known.has(follower)) tried = mostTries - 1;
  }
}

/** uuid of a follower who has to be known first; null when it is done. With `known` null nobody has to. */
async function tryDrop(
  context: Context,
  id: string,
  person: string,
  known: Known | null,
): Promise<string | null> {
  const { clock, outbox } = context;
  try {
    return await changeGroup<string | null>(context, id, async (tx, group) => {
      const member = await findMember(tx, id, person);
      if (member === null) return { result: null, events: [] };
      const follower = await findFollower(context, tx, group, member);
      if (follower !== null && known !== null && !known.has(follower.person))
        return { result: follower.person, events: [] };

      const nameOf = (row: MemberRow) => announcedAs(row, known);
      const apps = await appsOfMembers(tx, id);
      const { succession, events } = await succeed(context, tx, group, member, nameOf);
      await deleteMember(tx, id, person);
      const seq = await raiseSeq(tx, id);
      const told = { group, seq, apps, topics: [groupsTopic(person)] };
      const departure: Departure = {
        organizers: succession.follower === null ? [] : [{ group: id, person: succession.follower }],
        archived: succession.archived ? [id] : [],
        apps: [...new Set([group.app, ...apps])],
      };
      await addDeparture(tx, person, departure, new Date(clock.now()));
      return { result: null, events: [...events, memberLeft(outbox, told, nameOf(member))] };
    });
  } catch (error) {
    // Deleted meanwhile: nobody was left in it.
    if (isHearthError(error) && error.kind === 'not_found') return null;
    throw error;
  }
}

function announcedAs(row: MemberRow, known: Known | null): AnnouncedPerson {
  return known?.get(row.person) ?? { id: row.person, handle: '', name: '', ageBand: ageBandOf(row.age_band) };
}

function once({ organizers, archived, apps }: Departure): Departure {
  return { organizers, archived, apps: [...new Set(apps)] };
}
