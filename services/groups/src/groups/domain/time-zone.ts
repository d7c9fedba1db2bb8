import { badField } from '@hearth/errors';

/**
 * An IANA time zone in its usual spelling.
 *
 * @throws bad_field for any other text
 */
export function readTimeZone(text: string): string {
  const zone = zoneNamed(text);
  if (zone === null) throw badField('time_zone', 'must be an IANA time zone such as Europe/Zurich, or UTC');
  return zone;
}

function zoneNamed(text: string): string | null {
  // Offsets such as +01:00 are zones to Intl, and know no summer time.
  if (!/^[A-Za-z]/.test(text)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
