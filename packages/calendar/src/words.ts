import { localOf, zoneNamed } from './time-zone.ts';

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `clock` leaves the day out, `day` the time of day. */
export type TimePart = 'whole' | 'clock' | 'day';

/**
 * A time as the clocks of a zone show it: "Sat, 3 May 2027, 18:00"; a day (YYYY-MM-DD) without its time.
 *
 * @param time an instant (ISO 8601), or a day
 * @param zone null: UTC
 */
export function wordsOf(time: string, zone: string | null, part: TimePart = 'whole'): string {
  if (/^\d{4}-\d\d-\d\d$/.test(time)) return dayWords(time);
  const local = localOf(Date.parse(time), zone ?? 'UTC');
  const [day, clock] = [local.slice(0, -9), local.slice(-8, -3)];
  return part === 'clock' ? clock : part === 'day' ? dayWords(day) : `${dayWords(day)}, ${clock}`;
}

/** A zone behind a time: "Zurich time", "UTC". */
export function zoneWords(zone: string): string {
  const { name, isPlace } = placeOf(zone);
  return isPlace ? `${name} time` : name;
}

/** The name by which readers know a zone: of its place, or its own where it has none, as "UTC". */
export function placeOf(zone: string): { name: string; isPlace: boolean } {
  const parts = (zoneNamed(zone) ?? 'UTC').split('/');
  return { name: parts.at(-1)!.replaceAll('_', ' '), isPlace: parts.length > 1 && parts[0] !== 'Etc' };
}

function dayWords(day: string): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const weekday = weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()];
  return `${weekday}, ${date} ${months[month - 1]} ${year}`;
}
