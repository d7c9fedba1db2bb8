import { sizeOf } from '@hearth/limits';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import { Role } from '@hearth/proto/groups/v1/groups';
import type { PeopleService, PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Signing } from '@hearth/receipts';
import { anonymous, type Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { CourseRow, Whole } from '../db/thing-rows.ts';
import { organizersOf } from '../domain/awaited.ts';
import type { Member } from '../domain/member.ts';
import { memberOf } from './gather-people.ts';

export interface KeepDeps extends Pick<Host, 'limits'> {
  peers: {
    groups: Pick<Client<typeof GroupsService>, 'findMembership' | 'listRoster'>;
    identity: Pick<Client<typeof PeopleService>, 'findPeople'>;
  };
}

/** Replaces a course's people, computed from its current ones. */
export interface Know<Person> {
  kind: 'know';
  people: (now: readonly Person[]) => readonly Person[];
  /** Also applies to an ended course, whose outcome stays. */
  ended?: boolean;
}

export interface Kept<Row extends CourseRow, Person extends Member> {
  things: {
    find(id: string): Promise<Whole<Row, Person> | null>;
    act(
      id: string,
      choose: (whole: Whole<Row, Person>) => { act: Know<Person> } | null,
    ): Promise<Whole<Row, Person>>;
  };
  signing: Pick<Signing<Whole<Row, Person>>, 'now'>;
  /** A participant without any statement yet. */
  newcomer(member: Member): Person;
}

/**
 * Refreshes these people (uuids) of a thing, and the children they guard: membership, organizer role,
 * guardians.
 *
 * @param ended whether to refresh ended things too
 */
export async function knowNow<Row extends CourseRow, Person extends Member>(
  { peers, signing, things, newcomer }: KeepDeps & Kept<Row, Person>,
  found: Whole<Row, Person>,
  changed: readonly string[],
  ended = false,
): Promise<Whole<Row, Person>> {
  const known = await lookAgain(peers, found, changed);
  const state = await things.act(found.row.id, ({ people }) => {
    const now = peopleNow(people, known, newcomer);
    return isSame(people, now)
      ? null
      : { act: { kind: 'know', people: (then) => peopleNow(then, known, newcomer), ended } };
  });
  return await signing.now(state);
}

/** Refreshes the thing's organizers to those its group has now. @param ended as for `knowNow` */
export async function organizedNow<Row extends CourseRow, Person extends Member>(
  deps: KeepDeps & Kept<Row, Person>,
  found: Whole<Row, Person>,
  ended = false,
): Promise<Whole<Row, Person>> {
  const { limits, peers } = deps;
  const roster = { group: found.row.group, limit: sizeOf(limits, 'group_members') };
  const { members } = await peers.groups.listRoster(roster, { caller: anonymous });
  const now = members.flatMap(({ person, role }) => (role === Role.ORGANIZER ? [person] : []));
  const before = organizersOf(found.people).map(({ person }) => person);
  const [first, ...others] = [...now, ...before].filter((one) => now.includes(one) !== before.includes(one));
  return first === undefined ? found : await knowNow(deps, found, [first, ...others], ended);
}

function peopleNow<Person extends Member>(
  people: readonly Person[],
  known: ReadonlyMap<string, Member | null>,
  newcomer: (member: Member) => Person,
): readonly Person[] {
  const stay = people.flatMap((person) => {
    const now = known.get(person.person);
    if (now === undefined) return person;
    if (now === null) return [];
    const { guardians, aiShare, organizer } = now;
    return { ...person, guardians, aiShare, organizer };
  });
  const there = new Set(people.map(({ person }) => person));
  const others = [...known.values()].filter((member) => member?.organizer && !there.has(member.person));
  return [...stay, ...others.map((other) => newcomer({ ...(other as Member), asked: false }))];
}

/** The people who may have changed, by uuid; null for those who no longer take part. */
async function lookAgain(
  peers: KeepDeps['peers'],
  { row, people }: Whole<CourseRow, Member>,
  changed: readonly string[],
): Promise<Map<string, Member | null>> {
  const asked = new Map(people.map((person) => [person.person, person.asked]));
  const guarded = people.filter(({ guardians }) => guardians.some((guardian) => changed.includes(guardian)));
  const ids = [...new Set([...changed, ...guarded.map(({ person }) => person)])].filter(
    (person) => person !== '' && person !== row.hidden_from,
  );
  // Bypasses the cache, which may be older than the event.
  const { results } = await peers.identity.findPeople({ ids }, { caller: anonymous });
  const now = await Promise.all(
    ids.map(async (person, index) => {
      const facts: PersonFacts | undefined = results[index]?.facts;
      if (facts === undefined) return null;
      const { group, role } = await peers.groups.findMembership(
        { group: row.group, person },
        { caller: anonymous },
      );
      if (group === undefined) return null;
      return memberOf(facts, asked.get(person) ?? false, role === Role.ORGANIZER, row.hidden_from);
    }),
  );
  return new Map(ids.map((person, index) => [person, now[index] ?? null]));
}

function isSame(before: readonly Member[], after: readonly Member[]): boolean {
  const facts = (people: readonly Member[]) =>
    JSON.stringify(
      people.map(({ person, guardians, aiShare, organizer }) => [person, guardians, aiShare, organizer]),
    );
  return facts(before) === facts(after);
}
