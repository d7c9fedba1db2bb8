import type { Seat } from '../db/seats.ts';
import type { CourseRow } from '../db/thing-rows.ts';
import { type Member, speakersOf } from './member.ts';

/**
 * The seats at a decision or plan: its people, those who answer for them, the group AI, the group's app, and
 * the starter's app while the starter takes part. Never the person it is hidden from.
 *
 * @param waiting uuids of the viewers it waits for
 */
export function seatsFor(row: CourseRow, people: readonly Member[], waiting: readonly string[]): Seat[] {
  const { group_ai, group_app, starter, starter_app, starter_person } = row;
  const started = starter_person === null || people.some(({ person }) => person === starter_person);
  const viewers = [
    ...people.flatMap((person) => [person.person, ...speakersOf(person)]),
    ...[group_ai, group_app],
    ...(starter_person === null ? [starter] : []),
    ...(started ? [starter_app] : []),
  ];
  return [...new Set(viewers)].flatMap((viewer) =>
    viewer === null || viewer === row.hidden_from ? [] : [{ viewer, waiting: waiting.includes(viewer) }],
  );
}

/** The group of a decision or plan, as in events. */
export function groupIn({ group, group_app, group_handle, group_name }: CourseRow) {
  return { id: group, handle: group_handle, name: group_name, app: group_app ?? '' };
}

/** uuids of the local viewers. */
export function viewersHere(people: readonly Member[], seats: readonly Seat[]): string[] {
  const elsewhere = new Set(people.flatMap(({ person, home }) => (home === null ? [] : [person])));
  return seats.flatMap(({ viewer }) => (elsewhere.has(viewer) ? [] : [viewer]));
}

/** The seats that changed, and the uuids of viewers who lost theirs. @param moved whether its status changed */
export function changedSeats(
  before: readonly Seat[],
  after: readonly Seat[],
  moved: boolean,
): { seats: Seat[]; unseated: string[] } {
  const waited = new Map(before.map(({ viewer, waiting }) => [viewer, waiting]));
  const seats = after.filter(({ viewer, waiting }) => moved || waited.get(viewer) !== waiting);
  for (const { viewer } of after) waited.delete(viewer);
  return { seats, unseated: [...waited.keys()] };
}
