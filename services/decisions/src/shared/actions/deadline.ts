import { badField } from '@hearth/errors';
import { type SizeName, sizeOf } from '@hearth/limits';
import type { Deps } from './deps.ts';

/**
 * The deadline of a question asked now.
 *
 * @param least the limit for the shortest time, in seconds
 * @throws bad_field if the home doesn't allow a time this short
 */
export function deadlineOf(
  { clock, limits }: Pick<Deps, 'clock' | 'limits'>,
  hours: number,
  least: SizeName,
): Date {
  const leastSeconds = sizeOf(limits, least);
  const seconds = hours * 3_600;
  if (!(seconds >= leastSeconds))
    throw badField('deadline_hours', `must be at least ${leastSeconds / 3_600} (${leastSeconds} seconds)`);
  return new Date(clock.now() + Math.round(seconds * 1_000));
}
