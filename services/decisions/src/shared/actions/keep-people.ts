import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import { Role } from '@hearth/proto/groups/v1/groups';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Signing } from '@hearth/receipts';
import { anonymous, type Client } from '@hearth/rpc';
import type { Host, ReceivedEvent } from '@hearth/runtime';
import type { CourseRow, Whole } from '../db/thing-rows.ts';
import type { ThingTable } from '../db/things.ts';
import type { Member } from '../domain/member.ts';
import { memberOf } from './gather-people.ts';

interface Deps extends Pick<Host, 'database'> {
  peers: {
    groups: Pick<Client<typeof GroupsService>, 'findMembership'>;
    identity: Pick<Client<typeof PeopleService>, 'findPeople'>;
  };
}

/** The ways in which a course takes that its people changed. */
type Act<Person> = { kind: 'drop'; people: readonly string[] } | { kind: 'know'; people: readonly Person[] };

interface Kept<Row extends CourseRow, Person extends Member> extends Deps {
  things: {
    find(id: string): Promise<Whole<Row, Person> | null>;
    actAll(
      id: string,
      choose: readonly ((whole: Whole<Row, Person>) => { act: Act<Person> } | null)[],
    ): Promise<Whole<Row, Person>>;
  };
  signing: Pick<Signing<Whole<Row, Person>>, 'now'>;
}

/**
 * Keeps the people of things that have not ended as they are: guardians, roles, those who left their group or whose account is
 * gone. It looks at those whom the events are about, and at the children whom they guard. Repeated it changes nothing.
 */
export const keepsPeople = <Row extends CourseRow, Person extends Member>(
  durable: string,
  { database, peers, signing, things }: Kept<Row, Person>,
  table: ThingTable<Row, Person>,
) => ({
  durable,
  types: ['person_changed', 'account_deleted', 'member_left', 'member_removed', 'role_changed'],
  async handle(received: readonly ReceivedEvent[]) {
    const changed = [...new Set(received.flatMap(({ event: { data } }) => concerned(data)))];
    if (changed.length === 0) return;
    for (const id of await table.findOpenOfPeople(database.db, changed)) {
      const found = await things.find(id);
      if (found === null) continue;
      const known = await knowAgain(peers, found, changed);
      const state = await things.actAll(id, [
        ({ people }) => {
          const gone = people.flatMap(({ person }) => (known.get(person) === null ? [person] : []));
          return gone.length === 0 ? null : { act: { kind: 'drop', people: gone } };
        },
        ({ people }) => {
          const now = people.map((one) => ({ ...one, ...known.get(one.person) }));
          return sameFacts(people, now) ? null : { act: { kind: 'know', people: now } };
        },
      ]);
      await signing.now(state);
    }
  },
});

/** uuids of the people whom an event is about, where it changes who they are here. */
function concerned(data: ReceivedEvent['event']['data']): string[] {
  switch (data.case) {
    case 'personChanged':
      return data.value.changed.some((name) => watched.has(name)) ? [data.value.person?.id ?? ''] : [];
    case 'accountDeleted':
      return [...data.value.deleted, ...data.value.handovers.map(({ child }) => child)];
    case 'memberLeft':
    case 'memberRemoved':
    case 'roleChanged':
      return [data.value.person?.id ?? ''];
    default:
      return [];
  }
}

const watched = new Set(['guardian', 'age_band', 'ai_share']);

/** The facts of a member that change. */
type Known = Pick<Member, 'guardians' | 'aiShare' | 'organizer'>;

/** The facts now of the people that changed; null for those who are part of it no more. */
async function knowAgain(
  peers: Deps['peers'],
  { row, people: participants }: Whole<CourseRow, Member>,
  changed: readonly string[],
): Promise<Map<string, Known | null>> {
  const concerned = participants.filter(
    ({ person, guardians }) => changed.includes(person) || guardians.some((one) => changed.includes(one)),
  );
  // Not from the cache: it may be older than the event.
  const ids = concerned.map(({ person }) => person);
  const { results } = await peers.identity.findPeople({ ids }, { caller: anonymous });
  const known = new Map<string, Known | null>();
  for (const [index, { person, asked }] of concerned.entries()) {
    const one = results[index]?.facts;
    const { group, role } = await peers.groups.findMembership(
      { group: row.group, person },
      { caller: anonymous },
    );
    const now =
      one === undefined || group === undefined
        ? null
        : memberOf(one, asked, role === Role.ORGANIZER, row.hidden_from);
    known.set(person, now && { guardians: now.guardians, aiShare: now.aiShare, organizer: now.organizer });
  }
  return known;
}

function sameFacts(before: readonly Known[], after: readonly Known[]): boolean {
  const facts = (people: readonly Known[]) =>
    JSON.stringify(people.map(({ guardians, aiShare, organizer }) => [guardians, aiShare, organizer]));
  return facts(before) === facts(after);
}
