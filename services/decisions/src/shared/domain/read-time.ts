import { instantOf, isDay, readInstant } from '@hearth/calendar';
import { badField, timeZoneNeeded } from '@hearth/errors';

/**
 * Reads a caller's time as an option: an instant, or a day.
 *
 * @throws bad_field, bad_request (time_zone_needed, ambiguous_time)
 */
export function readTime(text: string, zone: string | null, field: string): string {
  if (isDay(text)) return text;
  const instant = readInstant(text);
  if (instant !== null) return instant;
  if (zone === null) throw timeZoneNeeded(`${text} is`);
  return instantOf(text, zone, field);
}

const dayEverywhereMs = 36 * 3_600_000;

/** When the day is over everywhere on earth, in milliseconds since 1970. */
export function endOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) + dayEverywhereMs;
}

/** Years have four digits wherever times are shown, a later end's included. */
const furthest = Date.parse('9999-01-01T00:00:00Z');

/** @param at milliseconds since 1970, as `now` @throws bad_field if the time is past or beyond the supported range */
export function requireAhead(at: number, now: number, field: string): void {
  if (at <= now) throw badField(field, 'must be in the future');
  if (at >= furthest) throw badField(field, 'must lie before the year 9999');
}
