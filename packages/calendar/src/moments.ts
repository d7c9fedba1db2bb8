import { formatted, type Text, t } from '@hearth/i18n';
import { localOf, zoneNamed } from './time-zone.ts';
import { placeOf } from './words.ts';

/** The day and time of an instant in a time zone. */
const timeIn = (at: Date, timeZone: string): Text =>
  formatted(({ tag }) =>
    new Intl.DateTimeFormat(tag, {
      ...dayParts,
      hour: '2-digit',
      minute: '2-digit',
      timeZone,
    }).format(at),
  );

/** The day of an instant in a time zone. @param timeZone UTC is used if it is unknown */
export const dayIn = (at: Date, timeZone: string): Text =>
  formatted(({ tag }) =>
    new Intl.DateTimeFormat(tag, { ...dayParts, timeZone: zoneNamed(timeZone) ?? 'UTC' }).format(at),
  );

const dayParts = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;

/** A moment for readers whose time zone isn't known: "Sat, 3 May 2027, 18:00 Zurich time". */
export function momentIn(at: Date, zone: string): Text {
  const { name, isPlace } = placeOf(zone);
  const time = timeIn(at, zoneNamed(zone) ?? 'UTC');
  return t('calendar.moment', { time, zone: name, isPlace: isPlace ? 'yes' : 'other' });
}

/** A moment in the reader's time zone, followed by that of the thing itself where the two differ. */
export function momentFor(at: Date, readers: string, meant: string): Text {
  const own = momentIn(at, readers);
  const differ = localOf(at.getTime(), readers) !== localOf(at.getTime(), meant);
  return differ ? t('calendar.moment-both', { own, other: momentIn(at, meant) }) : own;
}
