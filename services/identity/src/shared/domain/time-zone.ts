import { badField } from '@hearth/errors';

/**
 * An IANA time zone, as it was given.
 *
 * @throws bad_field for what is none; offsets such as +01:00 know no summer time and are none
 */
export function readTimeZone(given: string, field = 'time_zone'): string {
  if (!isTimeZone(given)) throw badField(field, 'must be an IANA time zone such as Europe/Zurich, or UTC');
  return given;
}

function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
