/** A person of a decision or plan. */
export interface Member {
  /** uuid */
  person: string;
  /** uuids of those who answer for a person under 18; empty: they answer themselves. */
  guardians: readonly string[];
  /** Whether AIs may act for a person under 18. */
  aiShare: boolean;
  organizer: boolean;
  /** False for an organizer who isn't asked. */
  asked: boolean;
  /** The person's home; null for this home. */
  home: string | null;
  /** Per operation, the last act (JSON) by which their home spoke for them. */
  acts: Readonly<Record<string, string>>;
}

/** An act sent by another home. */
export interface RemoteAct {
  operation: string;
  /** The signed act as JSON. */
  item: string;
}

/** The course with these people (uuids) changed. */
export function changedIn<Course extends { people: readonly Member[] }>(
  course: Course,
  of: readonly string[],
  change: (one: Course['people'][number]) => Partial<Course['people'][number]>,
): Course {
  const people = course.people.map((person) =>
    of.includes(person.person) ? { ...person, ...change(person) } : person,
  );
  return { ...course, people };
}

/** Stores an act with the people (uuids) it speaks for. */
export function withAct<One extends Member>(
  people: readonly One[],
  of: readonly string[],
  said: RemoteAct,
): One[] {
  return people.map((person) =>
    of.includes(person.person)
      ? { ...person, acts: { ...person.acts, [said.operation]: said.item } }
      : person,
  );
}

/** Whether the act was applied before; it is sent again if this home crashed before recording the result. */
export function isSaid(people: readonly Member[], said: RemoteAct | undefined): boolean {
  return said !== undefined && people.some(({ acts }) => acts[said.operation] === said.item);
}

/** The signed acts of remote people, for the record. */
export function actsOf(people: readonly Member[]): unknown[] {
  const items = people.flatMap(({ acts }) => Object.values(acts));
  return [...new Set(items)].map((item) => JSON.parse(item) as unknown);
}

/** The local people; remote homes notify their own. */
export function here<One extends Member>(people: readonly One[]): One[] {
  return people.filter(({ home }) => home === null);
}

/** uuids of those who speak for a member. */
export function speakersOf({ person, guardians }: Pick<Member, 'person' | 'guardians'>): readonly string[] {
  return guardians.length > 0 ? guardians : [person];
}
