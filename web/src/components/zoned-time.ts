import { momentIn, type TimePart, timeIn, zoneWords } from '@hearth/calendar/moments';
import { localOf, zoneNamed } from '@hearth/calendar/time-zone';
import { type Text, t } from '@hearth/i18n';
import type { Frame } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { presentName } from '../time-zones.ts';

/** The time zones of a page's reader. */
export type Readers = Pick<Frame, 'person' | 'zone'>;

/** A day without a time: YYYY-MM-DD. */
export const isDay = (value: string): boolean => /^\d{4}-\d\d-\d\d$/.test(value);

interface Period {
  startsAt: string;
  /** Absent for a moment. */
  endsAt?: string | undefined;
}

/**
 * A time in the reader's zone, followed by the time in its own zone if that differs; a date as it is. Names
 * the zone if it is not the reader's.
 *
 * @param value an instant (ISO 8601), or a date as YYYY-MM-DD
 * @param zone the zone that the time was set in; undefined for the moment of an event
 * @param part `clock` leaves out the day, which stands above
 */
export function zonedTime(frame: Readers, value: string, zone?: string, part?: TimePart): Html {
  return zonedPeriod(frame, { startsAt: value }, zone, part);
}

/** `zonedTime` for a time with its end. */
export function zonedPeriod(
  frame: Readers,
  { startsAt, endsAt }: Period,
  zone?: string,
  part: TimePart = 'whole',
): Html {
  if (isDay(startsAt)) return html`<time datetime="${startsAt}">${dayOf(startsAt, zone)}</time>`;
  const own = ownZone(frame);
  const shown = readersZone(frame, zone);
  // The script replaces it with the browser's time.
  const isGuess = own === undefined && part !== 'clock' && endsAt === undefined;
  const kind = part === 'day' ? part : zone === undefined ? 'moment' : 'meant';
  const local = isGuess && html` data-local="${kind}"`;
  const start = html`<time datetime="${startsAt}"${local}>${timeIn(startsAt, shown, part)}</time>`;
  const end =
    endsAt !== undefined && html`<time datetime="${endsAt}">${endOf(startsAt, endsAt, shown)}</time>`;
  return html`${end ? t('common.period', { start, end }) : start}${part !== 'day' && beside(startsAt, shown, zone, own !== undefined)}`;
}

function beside(startsAt: string, shown: string, zone: string | undefined, isOwn: boolean): Html | false {
  if (!isOwn) return html` <span class="zone">${zoneWords(shown)}</span>`;
  const meant = zone === undefined ? shown : knownZone(zone);
  if (localOf(Date.parse(startsAt), meant) === localOf(Date.parse(startsAt), shown)) return false;
  const part = localDay(startsAt, meant) === localDay(startsAt, shown) ? 'clock' : 'whole';
  return html` <span class="zone">(${timeIn(startsAt, meant, part)} ${zoneWords(meant)})</span>`;
}

/** The reader's zone: their account's, or else their browser's; undefined if neither is known here. */
const ownZone = ({ person, zone }: Readers): string | undefined =>
  [!person?.zoneAssumed && person?.timeZone, zone].find((name) => name && zoneNamed(name) !== null) ||
  undefined;

/** The zone in which times are shown: the reader's, or, if that is unknown, the subject's. */
export const readersZone = (frame: Readers, zone: string | undefined): string =>
  knownZone(ownZone(frame) ?? zone ?? frame.person?.timeZone);

const endOf = (startsAt: string, endsAt: string, zone: string) =>
  timeIn(endsAt, zone, localDay(startsAt, zone) === localDay(endsAt, zone) ? 'clock' : 'whole');

/** The day of an instant in a zone, YYYY-MM-DD. */
export const localDay = (instant: string, zone: string) => localOf(Date.parse(instant), zone).slice(0, 10);

/** `zonedTime` as plain text, where markup is impossible. */
export function zonedWords(frame: Readers, value: string, zone: string | undefined): Text {
  const shown = readersZone(frame, zone);
  return isDay(value) || ownZone(frame) !== undefined
    ? timeIn(value, shown)
    : momentIn(new Date(value), shown);
}

/** The day of a time in a zone, in words. */
export const dayOf = (value: string, zone: string | undefined): Text => timeIn(value, knownZone(zone), 'day');

/** The zone by its current name. A zone unknown to this machine is shown as UTC, and the text says so. */
export function knownZone(zone = 'UTC'): string {
  try {
    return presentName(new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone);
  } catch {
    return 'UTC';
  }
}
