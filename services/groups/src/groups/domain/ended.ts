import { badField } from '@hearth/errors';
import type { GroupRow } from '../db/groups.ts';

type Ending = Pick<GroupRow, 'ends_at' | 'archived_at'>;

/** Whether a group is archived now, even if its end has passed but the job has not run yet. */
export function isArchived(group: Ending, now: number): boolean {
  return group.archived_at !== null || isPastEnd(group, now);
}

export function isPastEnd({ ends_at }: Pick<Ending, 'ends_at'>, now: number): boolean {
  return ends_at !== null && ends_at.getTime() <= now;
}

/** @throws bad_field if the end is in the past or more than `mostDays` ahead */
export function checkEnd(end: Date, now: number, mostDays: number): Date {
  if (end.getTime() <= now) throw badField('ends_at', 'must be in the future');
  if (end.getTime() > now + mostDays * dayMs)
    throw badField('ends_at', `must be at most ${mostDays} days ahead`);
  return end;
}

const dayMs = 86_400_000;
