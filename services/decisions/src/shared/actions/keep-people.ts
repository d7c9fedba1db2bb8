import type { Host, ReceivedEvent } from '@hearth/runtime';
import type { CourseRow, Whole } from '../db/thing-rows.ts';
import type { ThingTable } from '../db/things.ts';
import type { Member } from '../domain/member.ts';
import { type KeepDeps, type Kept, knowNow } from './know-people.ts';

interface Keeps<Row extends CourseRow, Person extends Member>
  extends KeepDeps,
    Kept<Row, Person>,
    Pick<Host, 'database'> {
  table: ThingTable<Row, Person>;
  /** Called after a thing's people were refreshed. */
  kept?(whole: Whole<Row, Person>): Promise<void>;
}

/**
 * Keeps the people of open things current: guardians, roles, members who left, deleted accounts, new
 * organizers. Refreshes the people an event is about and the children they guard. Idempotent.
 */
export const keepsPeople = <Row extends CourseRow, Person extends Member>(
  durable: string,
  deps: Keeps<Row, Person>,
) => ({
  durable,
  types: [
    'person_changed',
    'account_deleted',
    'member_joined',
    'member_left',
    'member_removed',
    'role_changed',
  ],
  async handle(received: readonly ReceivedEvent[]) {
    const { database, table, things } = deps;
    const events = received.map(({ event: { data } }) => concerned(data));
    const people = [...new Set(events.flatMap((event) => event.people))];
    const groups = [...new Set(events.flatMap((event) => event.groups))];
    if (people.length === 0) return;
    const [theirs, ofGroups] = await Promise.all([
      table.findOpenOfPeople(database.db, people),
      groups.length === 0 ? [] : table.findOpenIn(database.db, groups),
    ]);
    for (const id of new Set([...theirs, ...ofGroups])) {
      const found = await things.find(id);
      if (found === null) continue;
      const known = await knowNow(deps, found, people);
      await deps.kept?.(known);
    }
  },
});

/** uuids of the people whose role here the event changes, and of the groups in question. */
function concerned(data: ReceivedEvent['event']['data']): { people: string[]; groups: string[] } {
  const none = { people: [], groups: [] };
  switch (data.case) {
    case 'personChanged':
      if (!data.value.changed.some((name) => watched.has(name))) return none;
      return { ...none, people: [data.value.person?.id ?? ''] };
    case 'accountDeleted':
      return { ...none, people: [...data.value.deleted, ...data.value.handovers.map(({ child }) => child)] };
    case 'memberJoined':
    case 'memberLeft':
    case 'memberRemoved':
    case 'roleChanged':
      return { people: [data.value.person?.id ?? ''], groups: [data.value.group?.id || ''].filter(Boolean) };
    default:
      return none;
  }
}

const watched = new Set(['guardian', 'age_band', 'ai_share']);
