import { type Member, speakersOf } from './member.ts';
import type { Reader } from './reader.ts';

/** A person of a decision or a plan for whom it waits, and those who can do now what it waits for. */
export interface Awaited<One extends Member> {
  one: One;
  /** uuids */
  by: readonly string[];
}

/** A word of a person: in the place of a child their guardians give it. */
export const wordOf = <One extends Member>(one: One): Awaited<One> => ({ one, by: speakersOf(one) });

/** A task of an organizer, done by themselves. */
export const taskOf = <One extends Member>(one: One): Awaited<One> => ({ one, by: [one.person] });

export const organizersOf = <One extends Member>(people: readonly One[]): One[] =>
  people.filter(({ organizer }) => organizer);

/** uuids of those for whom it waits, each once. */
export const awaitedBy = (awaited: readonly Awaited<Member>[]): string[] => [
  ...new Set(awaited.flatMap(({ by }) => by)),
];

/** uuids of those for whom it waits since a change. */
export function newlyAwaited(
  before: readonly Awaited<Member>[],
  after: readonly Awaited<Member>[],
): string[] {
  const were = new Set(awaitedBy(before));
  return awaitedBy(after).filter((person) => !were.has(person));
}

/** The same as ids for a reader; a teenager who answers by themselves has none that the reader could use elsewhere. */
export function shownAwaited(awaited: readonly Awaited<Member>[], reader: Reader): string[] {
  return awaitedBy(awaited)
    .filter((person) => reader.person(person)?.shielded !== true)
    .map(reader.id);
}
