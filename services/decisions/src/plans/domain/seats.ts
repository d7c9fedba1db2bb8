import type { Seat } from '../../shared/db/seats.ts';
import { awaitedBy } from '../../shared/domain/awaited.ts';
import { seatsFor } from '../../shared/domain/seated.ts';
import type { WholePlan } from '../db/plans.ts';
import { awaited } from './plan.ts';
import { courseOf } from './state.ts';

/** The plan's seats; empty while it waits for an organizer's approval, and if it never began. */
export function seatsOf(whole: WholePlan): Seat[] {
  const { row, people } = whole;
  if (row.status === 'asked' || row.why === 'declined') return [];
  return seatsFor(row, people, awaitedBy(awaited(courseOf(whole), row.starter_person)));
}
