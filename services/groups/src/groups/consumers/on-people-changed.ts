import { timestampDate } from '@bufbuild/protobuf/wkt';
import { stateDue } from '@hearth/home-acts';
import type { Event, PersonChanged } from '@hearth/proto/events/v1/events';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { anonymous } from '@hearth/rpc';
import type { ReceivedEvent } from '@hearth/runtime';
import { ageBandName } from '../../shared/domain/enum-names.ts';
import { changedPeople, idsIn } from '../../shared/domain/event-ids.ts';
import { dropFromGroups, nameless } from '../actions/drop-person.ts';
import { changeOfMember } from '../actions/group-machine.ts';
import { succeed } from '../actions/succession.ts';
import type { Context } from '../context.ts';
import { appsOfFellows } from '../db/fellow-apps.ts';
import { forgetCreator } from '../db/groups.ts';
import { forgetJoined, listJoinedBy } from '../db/joined-elsewhere.ts';
import { findMember, listToldOf, setRole, updateFacts } from '../db/members.ts';
import { roleChanged } from '../domain/events.ts';

const mostAsked = 500;

/** Keeps members' facts current, and drops members whose account is gone. */
export const onPeopleChanged = (context: Context) => async (events: ReceivedEvent[]) => {
  const changed = changedPeople(events);
  const causes = Map.groupBy(
    events.map(({ event }) => event),
    ({ data }) => (data.case === 'personChanged' ? data.value.person?.id : undefined),
  );
  for (let from = 0; from < changed.length; from += mostAsked) {
    // Bypasses the cache, which may be older than the event.
    const ids = changed.slice(from, from + mostAsked);
    const { results } = await context.identity.findPeople({ ids }, { caller: anonymous });
    for (const { facts } of results)
      if (facts !== undefined) await update(context, facts, causes.get(facts.id) ?? []);
  }
  for (const { event } of events)
    if (event.data.case === 'personChanged') await tellFellows(context, event, event.data.value);
  const deleted = idsIn(events, ({ data }) => (data.case === 'accountDeleted' ? data.value.deleted : []));
  for (const person of deleted) await dropFromGroups(context, person);
};

/** Changes that fellow members see; role changes have their own event. */
const seenByFellows = new Set(['name', 'handle', 'guest', 'age_band']);

/** Notifies the apps of fellow members; the person's own app hears it from identity. */
async function tellFellows({ commit, database }: Context, event: Event, value: PersonChanged): Promise<void> {
  const { person } = value;
  const changed = value.changed.filter((field) => seenByFellows.has(field));
  if (person === undefined || changed.length === 0) return;
  // Those who joined later saw the change when they did.
  const fellows = await appsOfFellows(database.db, person.id, timestampDate(event.at!));
  const apps = fellows.filter((app) => !value.apps.includes(app));
  if (apps.length === 0) return;
  await commit(async (tx) => {
    tx.announce({
      resultOf: { event, name: 'fellow_changed' },
      data: { case: 'fellowChanged', value: { person, changed, apps } },
    });
  });
}

/** @param causes the events that say that the person changed */
async function update(context: Context, facts: PersonFacts, causes: readonly Event[]): Promise<void> {
  const { commit, database } = context;
  const ageBand = ageBandName(facts.ageBand);
  const organized = await commit(async (tx) => {
    const organizes = await updateFacts(tx, facts.id, { ageBand, app: facts.app || null });
    // Their homes need the current members and names; people under 18 are left out.
    for (const group of await listToldOf(tx, facts.id))
      for (const event of causes)
        tx.announce({
          ...stateDue('groups', 'group', group),
          resultOf: { event, name: `state of ${group}` },
        });
    // People under 18 are not members of remote groups.
    if (ageBand !== 'adult')
      for (const group of await listJoinedBy(tx, facts.id)) await forgetJoined(tx, facts.id, group);
    return organizes;
  });
  if (ageBand === 'adult') return;
  // Only adults create and organize groups. An organizer who turns out to be under 18 is rare.
  await database.statement((tx) => forgetCreator(tx, facts.id));
  for (const group of organized) await stepDown(context, group, facts);
}

async function stepDown(context: Context, id: string, person: PersonFacts): Promise<void> {
  await context.groups.locked(id, async (tx, group) => {
    const member = await findMember(tx, id, person.id);
    if (member?.role !== 'organizer') return;
    await succeed(context, tx, group, member, nameless);
    await setRole(tx, id, person.id, 'member');
    tx.announce(roleChanged(await changeOfMember(tx, group, person.id), person, 'member'));
  });
}
