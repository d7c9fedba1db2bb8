import { zoneNamed } from '@hearth/calendar/time-zone';
import { badField } from '@hearth/errors';

/**
 * Checks an IANA time zone and returns it unchanged.
 *
 * @throws bad_field if it is not one; offsets such as +01:00 have no daylight saving time and are refused
 */
export function readTimeZone(given: string): string {
  if (zoneNamed(given) === null)
    throw badField('time_zone', 'must be an IANA time zone such as Europe/Zurich, or UTC');
  return given;
}
