import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { isDay, nextDay } from './local-time.ts';

/** One event of a calendar. */
export interface CalendarEvent {
  /** Stable across changes, so that a later file replaces the event. */
  uid: string;
  /** Increments with each change. */
  sequence: number;
  title: string;
  details: string;
  place: string;
  /** An instant (ISO 8601 with Z), or a day (YYYY-MM-DD). */
  starts: string;
  /** An instant; null for a whole day, and for an event of one hour. */
  ends: string | null;
  cancelled?: boolean;
  /** Makes it a mail that calendars process by themselves (RFC 5546). Both are email addresses. */
  invitation?: { method: 'REQUEST' | 'CANCEL'; organizer: string; attendee: string };
  /** When the file was made, in milliseconds since 1970. */
  at: number;
  /** The event's page. */
  link: string;
}

/**
 * Returns the event as an RFC 5545 file. Instants are in UTC, because the reader's time zone rules may differ from this
 * home's.
 */
export function calendarFile(event: CalendarEvent): string {
  const { uid, sequence, title, details, place, starts, cancelled = false, at, link, invitation } = event;
  const calendar = new ICAL.Component('vcalendar');
  calendar.addPropertyWithValue('version', '2.0');
  calendar.addPropertyWithValue('prodid', '-//Hearth//Hearth//EN');
  if (invitation !== undefined) calendar.addPropertyWithValue('method', invitation.method);

  const shown = new ICAL.Component('vevent');
  const texts = { uid, summary: title, description: details, location: place };
  for (const [name, text] of Object.entries(texts)) if (text !== '') shown.addPropertyWithValue(name, text);
  shown.addPropertyWithValue('sequence', sequence);
  shown.addPropertyWithValue('url', link);
  if (invitation !== undefined) {
    shown.addPropertyWithValue('organizer', `mailto:${invitation.organizer}`);
    const attendee = shown.addPropertyWithValue('attendee', `mailto:${invitation.attendee}`);
    attendee.setParameter('partstat', 'ACCEPTED');
    attendee.setParameter('rsvp', 'FALSE');
  }
  shown.addPropertyWithValue('status', cancelled ? 'CANCELLED' : 'CONFIRMED');
  const made = Temporal.Instant.fromEpochMilliseconds(at).toString({ smallestUnit: 'second' });
  shown.addPropertyWithValue('dtstamp', timeOf(made));
  shown.addPropertyWithValue('dtstart', timeOf(starts));
  shown.addPropertyWithValue('dtend', timeOf(endOf(event)));
  calendar.addSubcomponent(shown);
  return `${calendar.toString()}\r\n`;
}

function endOf({ starts, ends }: CalendarEvent): string {
  if (isDay(starts)) return nextDay(starts);
  return ends ?? Temporal.Instant.from(starts).add({ hours: 1 }).toString();
}

/** @param time a day, or an instant */
const timeOf = (time: string) =>
  isDay(time)
    ? ICAL.Time.fromDateString(time)
    : ICAL.Time.fromDateTimeString(Temporal.Instant.from(time).toString({ smallestUnit: 'second' }));
