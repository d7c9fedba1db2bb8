import { type Member, speakersOf } from './member.ts';
import type { Reader } from './reader.ts';

/** A person that a decision or plan waits for, and who can act for them now. */
export interface Awaited<One extends Member> {
  one: One;
  /** uuids */
  by: readonly string[];
}

/** An answer: a child's guardians give it for them. */
export const wordOf = <One extends Member>(one: One): Awaited<One> => ({ one, by: speakersOf(one) });

/** An organizer's task, which only they can do. */
export const taskOf = <One extends Member>(one: One): Awaited<One> => ({ one, by: [one.person] });

export const organizersOf = <One extends Member>(people: readonly One[]): One[] =>
  people.filter(({ organizer }) => organizer);

/** uuids of the people it waits for, without duplicates. */
export const awaitedBy = (awaited: readonly Awaited<Member>[]): string[] => [
  ...new Set(awaited.flatMap(({ by }) => by)),
];

/** uuids of the people it newly waits for after a change. */
export function newlyAwaited(
  before: readonly Awaited<Member>[],
  after: readonly Awaited<Member>[],
): string[] {
  const were = new Set(awaitedBy(before));
  return awaitedBy(after).filter((person) => !were.has(person));
}

/** `awaitedBy` as ids for a reader; leaves out teenagers who answer for themselves and whose id is shielded. */
export function shownAwaited(awaited: readonly Awaited<Member>[], reader: Reader): string[] {
  return awaitedBy(awaited)
    .filter((person) => reader.person(person)?.shielded !== true)
    .map(reader.id);
}
