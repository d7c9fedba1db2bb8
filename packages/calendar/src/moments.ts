import { createLru } from '@hearth/cache/lru';
import { formatted, type Text, t } from '@hearth/i18n';
import { isDay } from './local-time.ts';
import { localOf, zoneNamed } from './time-zone.ts';

const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
const clock = { hour: '2-digit', minute: '2-digit' } as const;

const parts = { whole: { ...day, ...clock }, clock, day } as const;

/** `clock` leaves the day out, `day` the time of day. */
export type TimePart = keyof typeof parts;

/** Making a format takes twenty times as long as using it. */
const formats = createLru<Intl.DateTimeFormat>(500);

function formatOf(tag: string, timeZone: string, part: TimePart): Intl.DateTimeFormat {
  const key = `${tag} ${timeZone} ${part}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat(tag, { ...parts[part], timeZone });
  formats.set(key, format);
  return format;
}

/**
 * A time in a time zone: "Sat, 3 May 2027, 18:00"; a day without its time of day.
 *
 * @param time an instant (ISO 8601), or a day (YYYY-MM-DD)
 * @param zone UTC is used if it is null or unknown
 */
export function timeIn(time: string, zone: string | null, part: TimePart = 'whole'): Text {
  const [timeZone, shown] = isDay(time) ? ['UTC', 'day' as const] : [zoneNamed(zone ?? '') ?? 'UTC', part];
  return formatted(({ tag }) => formatOf(tag, timeZone, shown).format(new Date(time)));
}

/** The day of an instant in a time zone. @param zone UTC is used if it is unknown */
export const dayIn = (at: Date, zone: string): Text => timeIn(at.toISOString(), zone, 'day');

/** A zone behind a time: "Zurich time", "UTC". */
export function zoneWords(zone: string): Text {
  const { name, isPlace } = placeOf(zone);
  return t('calendar.zone', { zone: name, isPlace: isPlace ? 'yes' : 'other' });
}

/** A moment for readers whose time zone isn't known: "Sat, 3 May 2027, 18:00 Zurich time". */
export function momentIn(at: Date, zone: string): Text {
  const { name, isPlace } = placeOf(zone);
  const time = timeIn(at.toISOString(), zone);
  return t('calendar.moment', { time, zone: name, isPlace: isPlace ? 'yes' : 'other' });
}

/** A moment in the reader's time zone, followed by that of the thing itself where the two differ. */
export function momentFor(at: Date, readers: string, meant: string): Text {
  const own = momentIn(at, readers);
  const differ = localOf(at.getTime(), readers) !== localOf(at.getTime(), meant);
  return differ ? t('calendar.moment-both', { own, other: momentIn(at, meant) }) : own;
}

/** The name by which readers know a zone: of its place, or its own where it has none, as "UTC". */
function placeOf(zone: string): { name: string; isPlace: boolean } {
  const parts = (zoneNamed(zone) ?? 'UTC').split('/');
  return { name: parts.at(-1)!.replaceAll('_', ' '), isPlace: parts.length > 1 && parts[0] !== 'Etc' };
}
