import { zoneNamed } from '@hearth/calendar/time-zone';
import { badField } from '@hearth/errors';

/**
 * An IANA time zone, as it was given.
 *
 * @throws bad_field for what is none; offsets such as +01:00 know no summer time and are none
 */
export function readTimeZone(given: string): string {
  if (zoneNamed(given) === null)
    throw badField('time_zone', 'must be an IANA time zone such as Europe/Zurich, or UTC');
  return given;
}
