import { badField } from '@hearth/errors';
import { type SizeName, sizeOf } from '@hearth/limits';
import type { Deps } from './deps.ts';

/**
 * When that which is asked for now closes.
 *
 * @param least the limit of the shortest time, in seconds
 * @throws bad_field for less than the home allows
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
