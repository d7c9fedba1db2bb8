import { instantOf, isDay, readInstant } from '@hearth/calendar';
import { badRequest } from '@hearth/errors';

/**
 * A time that a caller gave, as options have it: an instant, or a day.
 *
 * @throws bad_field, bad_request (time_zone_needed, ambiguous_time)
 */
export function readTime(text: string, zone: string | null, field: string): string {
  if (isDay(text)) return text;
  const instant = readInstant(text);
  if (instant !== null) return instant;
  if (zone === null)
    throw badRequest(`time_zone: say in which zone ${text} is meant, by its IANA name: Europe/Zurich`, {
      code: 'time_zone_needed',
      field: 'time_zone',
    });
  return instantOf(text, zone, field);
}

const dayEverywhereMs = 36 * 3_600_000;

/** When a day is over everywhere, in milliseconds since 1970. */
export function endOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) + dayEverywhereMs;
}
