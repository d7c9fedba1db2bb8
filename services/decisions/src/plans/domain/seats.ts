import type { Seat } from '../../shared/db/seats.ts';
import { speakersOf } from '../../shared/domain/member.ts';
import { seatsFor } from '../../shared/domain/seated.ts';
import type { WholePlan } from '../db/plans.ts';
import { waitingOn } from './plan.ts';
import { courseOf } from './state.ts';

/** None while the organizers are asked whether it begins, and of one that never did. */
export function seatsOf(whole: WholePlan): Seat[] {
  const { row, people } = whole;
  if (row.status === 'asked' || row.why === 'declined') return [];
  const course = courseOf(whole);
  const settling =
    row.status === 'open' && row.settle_asked ? people.filter(({ organizer }) => organizer) : [];
  const waiting = [...waitingOn(course).flatMap(speakersOf), ...settling.map(({ person }) => person)];
  return seatsFor(row, people, waiting);
}
