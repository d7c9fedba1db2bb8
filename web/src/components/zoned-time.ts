import type { Frame } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { knownZone } from './time.ts';

const dayFormat = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
const clockFormat = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const whole = { ...dayFormat, ...clockFormat } as const;

/** A day without a time: YYYY-MM-DD. */
export const isDay = (value: string): boolean => /^\d{4}-\d\d-\d\d$/.test(value);

/**
 * A time as it is meant, in its own zone, with that zone beside it, and in the viewer's own where clocks there show another; a
 * day as it is.
 *
 * @param value an instant (ISO 8601), or a day as YYYY-MM-DD
 * @param part `clock` leaves the day out, where it stands above
 */
export function zonedTime(
  frame: Frame,
  value: string,
  zone: string | undefined,
  part: 'whole' | 'clock' = 'whole',
): Html {
  if (isDay(value)) return html`<time datetime="${value}">${dayOf(value, zone)}</time>`;
  const [there, own] = [knownZone(zone), knownZone(frame.person?.timeZone ?? zone)];
  const differs = inZone(value, there, whole) !== inZone(value, own, whole);
  const sameDay = dayOf(value, there) === dayOf(value, own);
  return html`<time datetime="${value}">${inZone(value, there, part === 'clock' ? clockFormat : whole)}</time> <span class="zone">${there.replaceAll('_', ' ')}</span>${
    differs &&
    html` <span class="zone">(for you ${inZone(value, own, sameDay ? clockFormat : whole)}, ${own.replaceAll('_', ' ')})</span>`
  }`;
}

interface Period {
  startsAt: string;
  endsAt: string;
}

/**
 * From when to when something is, by the clocks of the viewer, and beside it by those of the zone in which it was meant where
 * they show another time.
 *
 * @param part `clock` leaves the day out, where it stands above
 */
export function readersPeriod(
  frame: Frame,
  period: Period,
  zone: string,
  part: 'whole' | 'clock' = 'whole',
): Html {
  const [own, there] = [readersZone(frame, zone), knownZone(zone)];
  const differs = inZone(period.startsAt, there, whole) !== inZone(period.startsAt, own, whole);
  const sameDay = dayOf(period.startsAt, there) === dayOf(period.startsAt, own);
  return html`<time datetime="${period.startsAt}">${inZone(period.startsAt, own, part === 'clock' ? clockFormat : whole)}</time> to <time datetime="${period.endsAt}">${endOf(period, own)}</time> <span class="zone">${own.replaceAll('_', ' ')}</span>${
    differs &&
    html` <span class="zone">(${inZone(period.startsAt, there, sameDay ? clockFormat : whole)} in ${there.replaceAll('_', ' ')})</span>`
  }`;
}

/** The zone of the viewer; the given one where theirs is not known. */
export const readersZone = ({ person }: Frame, zone: string): string => knownZone(person?.timeZone ?? zone);

const endOf = ({ startsAt, endsAt }: Period, zone: string) =>
  inZone(endsAt, zone, dayOf(startsAt, zone) === dayOf(endsAt, zone) ? clockFormat : whole);

/** A time in plain words, where no markup may stand. */
export function zonedWords(value: string, zone: string | undefined): string {
  return isDay(value) ? dayOf(value, zone) : `${inZone(value, knownZone(zone), whole)} ${knownZone(zone)}`;
}

/** The day that a time falls on in a zone, in words. */
export function dayOf(value: string, zone: string | undefined): string {
  return isDay(value)
    ? inZone(`${value}T00:00:00Z`, 'UTC', dayFormat)
    : inZone(value, knownZone(zone), dayFormat);
}

function inZone(instant: string, timeZone: string, format: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { ...format, timeZone }).format(Date.parse(instant));
}
