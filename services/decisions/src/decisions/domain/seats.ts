import type { Seat } from '../../shared/db/seats.ts';
import { speakersOf } from '../../shared/domain/member.ts';
import { seatsFor } from '../../shared/domain/seated.ts';
import type { WholeDecision } from '../db/decisions.ts';
import { waitingOn } from './decision.ts';
import { courseOf } from './state.ts';

export function seatsOf(whole: WholeDecision): Seat[] {
  const course = courseOf(whole);
  const waiting = waitingOn(course).flatMap((one) =>
    course.status === 'review' ? [one.person] : speakersOf(one),
  );
  return seatsFor(whole.row, whole.people, waiting);
}
