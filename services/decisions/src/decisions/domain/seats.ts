import type { Seat } from '../../shared/db/seats.ts';
import { awaitedBy } from '../../shared/domain/awaited.ts';
import { seatsFor } from '../../shared/domain/seated.ts';
import type { WholeDecision } from '../db/decisions.ts';
import { awaited } from './decision.ts';
import { courseOf } from './state.ts';

export function seatsOf(whole: WholeDecision): Seat[] {
  return seatsFor(whole.row, whole.people, awaitedBy(awaited(courseOf(whole))));
}
