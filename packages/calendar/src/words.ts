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
  const place = (zoneNamed(zone) ?? 'UTC').split('/');
  const isPlace = place.length > 1 && place[0] !== 'Etc';
  return isPlace ? `${(place.at(-1) as string).replaceAll('_', ' ')} time` : (place.at(-1) as string);
}

function dayWords(day: string): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const weekday = weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()];
  return `${weekday}, ${date} ${months[month - 1]} ${year}`;
}
