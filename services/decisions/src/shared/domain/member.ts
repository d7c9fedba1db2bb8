/** A person of a decision or a plan. */
export interface Member {
  /** uuid */
  person: string;
  /** uuids of those who speak in the place of a person under 18; empty: they speak themselves. */
  guardians: readonly string[];
  /** Whether AIs may act for a person under 18. */
  aiShare: boolean;
  organizer: boolean;
  /** False for an organizer who isn't asked. */
  asked: boolean;
  /** The home of a person of another one; null here. */
  home: string | null;
  /** By operation, the last acts by which their home said what they said, whole, as JSON. */
  acts: Readonly<Record<string, string>>;
}

/** An act of another home. */
export interface RemoteAct {
  operation: string;
  /** As its home signed it, as JSON. */
  item: string;
}

/** A course with those of its people (uuids) changed. */
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

/** Keeps an act with those for whom it speaks (uuids). */
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

/** Whether an act was taken before: it comes again where this home fell before it noted the result. */
export function isSaid(people: readonly Member[], said: RemoteAct | undefined): boolean {
  return said !== undefined && people.some(({ acts }) => acts[said.operation] === said.item);
}

/** The acts of other homes by which its people spoke, for its record: their homes signed them. */
export function actsOf(people: readonly Member[]): unknown[] {
  const items = people.flatMap(({ acts }) => Object.values(acts));
  return [...new Set(items)].map((item) => JSON.parse(item) as unknown);
}

/** Those of this home: the others hear of it from theirs. */
export function here<One extends Member>(people: readonly One[]): One[] {
  return people.filter(({ home }) => home === null);
}

/** uuids of those who speak for a member. */
export function speakersOf({ person, guardians }: Pick<Member, 'person' | 'guardians'>): readonly string[] {
  return guardians.length > 0 ? guardians : [person];
}
