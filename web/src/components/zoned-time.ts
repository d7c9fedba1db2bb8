import type { Frame } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { knownZone } from './time.ts';

const dayFormat = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
const clockFormat = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const whole = { ...dayFormat, ...clockFormat } as const;

/** A day without a time: YYYY-MM-DD. */
export const isDay = (value: string): boolean => /^\d{4}-\d\d-\d\d$/.test(value);

type Part = 'whole' | 'clock';

interface Period {
  startsAt: string;
  /** Absent of a moment. */
  endsAt?: string | undefined;
}

/**
 * A time as it is meant, in its own zone, with that zone beside it, and in the viewer's own where clocks there show another; a
 * day as it is.
 *
 * @param value an instant (ISO 8601), or a day as YYYY-MM-DD
 * @param part `clock` leaves the day out, where it stands above
 */
export function zonedTime(frame: Frame, value: string, zone: string | undefined, part?: Part): Html {
  return zonedPeriod(frame, { startsAt: value }, zone, part);
}

/** The same of a time with its end. */
export function zonedPeriod(frame: Frame, period: Period, zone: string | undefined, part?: Part): Html {
  const { startsAt } = period;
  if (isDay(startsAt)) return html`<time datetime="${startsAt}">${dayOf(startsAt, zone)}</time>`;
  return byClocks(period, knownZone(zone), { zone: readersZone(frame, zone), lead: 'for you ' }, part);
}

/**
 * From when to when something is, by the clocks of the viewer, and beside it by those of the zone in which it was meant where
 * they show another time.
 *
 * @param part `clock` leaves the day out, where it stands above
 */
export function readersPeriod(frame: Frame, period: Period, zone: string, part?: Part): Html {
  return byClocks(period, readersZone(frame, zone), { zone: knownZone(zone), lead: '' }, part);
}

/** A moment by the clocks of the viewer. */
export function readersTime(frame: Frame, atMs: number): Html {
  const zone = readersZone(frame, undefined);
  return byClocks({ startsAt: new Date(atMs).toISOString() }, zone, { zone, lead: '' });
}

/** The one style of all of these: each time has the zone beside it whose clocks show it, by its name. */
function byClocks(
  period: Period,
  zone: string,
  other: { zone: string; lead: string },
  part: Part = 'whole',
): Html {
  const { startsAt, endsAt } = period;
  const differs = inZone(startsAt, other.zone, whole) !== inZone(startsAt, zone, whole);
  const sameDay = dayOf(startsAt, other.zone) === dayOf(startsAt, zone);
  return html`<time datetime="${startsAt}">${inZone(startsAt, zone, part === 'clock' ? clockFormat : whole)}</time>${
    endsAt !== undefined && html` to <time datetime="${endsAt}">${endOf(startsAt, endsAt, zone)}</time>`
  } <span class="zone">${nameOf(zone)}</span>${
    differs &&
    html` <span class="zone">(${other.lead}${inZone(startsAt, other.zone, sameDay ? clockFormat : whole)} ${nameOf(other.zone)})</span>`
  }`;
}

const nameOf = (zone: string) => zone.replaceAll('_', ' ');

/** The zone of the viewer; the given one where theirs is not known. */
export const readersZone = ({ person }: Frame, zone: string | undefined): string =>
  knownZone(person?.timeZone ?? zone);

const endOf = (startsAt: string, endsAt: string, zone: string) =>
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
