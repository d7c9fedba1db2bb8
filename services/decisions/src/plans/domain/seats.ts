import type { Seat } from '../../shared/db/seats.ts';
import { awaitedBy } from '../../shared/domain/awaited.ts';
import { seatsFor } from '../../shared/domain/seated.ts';
import type { WholePlan } from '../db/plans.ts';
import { awaited } from './plan.ts';
import { courseOf } from './state.ts';

/** None while the organizers are asked whether it begins, and of one that never did. */
export function seatsOf(whole: WholePlan): Seat[] {
  const { row, people } = whole;
  if (row.status === 'asked' || row.why === 'declined') return [];
  return seatsFor(row, people, awaitedBy(awaited(courseOf(whole), row.starter_person)));
}
