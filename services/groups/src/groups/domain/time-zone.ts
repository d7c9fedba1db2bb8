import { zoneNamed } from '@hearth/calendar/time-zone';
import { badField } from '@hearth/errors';

/** An IANA time zone in its canonical spelling. @throws bad_field for any other text */
export function readTimeZone(text: string): string {
  const zone = zoneNamed(text);
  if (zone === null) throw badField('time_zone', 'must be an IANA time zone such as Europe/Zurich, or UTC');
  return zone;
}
