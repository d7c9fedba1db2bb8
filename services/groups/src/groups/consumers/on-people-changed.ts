import type { Event } from '@hearth/proto/events/v1/events';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { anyone } from '@hearth/rpc';
import { ageBandOf, ageBandWord } from '../../shared/domain/enum-names.ts';
import { changedPeople, deletedPeople } from '../../shared/domain/event-ids.ts';
import { groupsTopic } from '../../shared/domain/topics.ts';
import { changeGroup } from '../actions/change-group.ts';
import { dropFromGroups } from '../actions/drop-person.ts';
import { succeed } from '../actions/succession.ts';
import type { Context } from '../context.ts';
import { forgetCreator, raiseSeq } from '../db/groups.ts';
import { appsOfMembers, findMember, type MemberRow, setRole, updateFacts } from '../db/members.ts';
import { roleChanged } from '../domain/events.ts';

const mostAsked = 500;

/** Brings members up to date with what identity says of them, and takes out whose account is gone. */
export async function followPeople(context: Context, events: readonly Event[]): Promise<void> {
  const changed = changedPeople(events);
  for (let from = 0; from < changed.length; from += mostAsked) {
    // Asked anew: what is remembered of people may be older than the event.
    const ids = changed.slice(from, from + mostAsked);
    const { results } = await context.identity.people.findPeople({ ids }, { caller: anyone });
    for (const { facts } of results) if (facts !== undefined) await follow(context, facts);
  }
  for (const person of deletedPeople(events)) await dropFromGroups(context, person);
}

async function follow(context: Context, facts: PersonFacts): Promise<void> {
  const ageBand = ageBandWord(facts.ageBand);
  const organizes = await context.database.statement((tx) =>
    updateFacts(tx, facts.id, { ageBand, app: facts.app || null }),
  );
  if (ageBand === 'adult') return;
  // Who makes a group is an adult; it is seldom, and late, that somebody turns out to be none.
  await context.database.statement((tx) => forgetCreator(tx, facts.id));
  for (const group of organizes) await stepDown(context, group, facts);
}

/** Somebody turned out to be under 18, and organizers are adults. */
async function stepDown(context: Context, id: string, person: PersonFacts): Promise<void> {
  const { outbox } = context;
  const nameless = (row: MemberRow) => ({
    id: row.person,
    handle: '',
    name: '',
    ageBand: ageBandOf(row.age_band),
  });
  await changeGroup(context, id, async (tx, group) => {
    const member = await findMember(tx, id, person.id);
    if (member === null || member.role !== 'organizer') return { result: undefined, events: [] };
    const { events } = await succeed(context, tx, group, member, nameless);
    await setRole(tx, id, person.id, 'member');
    const seq = await raiseSeq(tx, id);
    const told = { group, seq, apps: await appsOfMembers(tx, id), topics: [groupsTopic(person.id)] };
    return { result: undefined, events: [...events, roleChanged(outbox, told, person, 'member')] };
  });
}
