import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { tzlib_get_ical_block } from 'timezones-ical-library';
import { isDay, nextDay } from './local-time.ts';

/** One event of a calendar. */
export interface CalendarEvent {
  /** Stays the same for the same event, so that a later file replaces it. */
  uid: string;
  /** Rises with each change. */
  sequence: number;
  title: string;
  details: string;
  place: string;
  /** An instant (ISO 8601 with Z), or a day (YYYY-MM-DD). */
  starts: string;
  /** An instant; null for a day, and for an event of an hour. */
  ends: string | null;
  /** IANA name; null: UTC. */
  timeZone: string | null;
  cancelled?: boolean;
  /** For a mail, from which a calendar takes it by itself (RFC 5546): the address of the sender, and that of the recipient. */
  invitation?: { method: 'REQUEST' | 'CANCEL'; organizer: string; attendee: string };
  /** Milliseconds since 1970: when it was made. */
  at: number;
  /** The page of it. */
  link: string;
}

/** The event as a file of RFC 5545. */
export function calendarFile(event: CalendarEvent): string {
  const {
    uid,
    sequence,
    title,
    details,
    place,
    starts,
    timeZone,
    cancelled = false,
    at,
    link,
    invitation,
  } = event;
  const calendar = new ICAL.Component('vcalendar');
  calendar.addPropertyWithValue('version', '2.0');
  calendar.addPropertyWithValue('prodid', '-//Hearth//Hearth//EN');
  if (invitation !== undefined) calendar.addPropertyWithValue('method', invitation.method);
  const ends = endOf(event);
  const zone =
    isDay(starts) || [starts, ends].some((time) => isTwice(time, timeZone)) ? null : zoneOf(timeZone);
  if (zone !== null) calendar.addSubcomponent(zone.component);

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
  shown.addPropertyWithValue('dtstamp', timeOf(made, null));
  for (const [name, time] of [
    ['dtstart', starts],
    ['dtend', ends],
  ] as const) {
    const property = shown.addPropertyWithValue(name, timeOf(time, zone));
    if (zone !== null) property.setParameter('tzid', zone.tzid);
  }
  calendar.addSubcomponent(shown);
  return `${calendar.toString()}\r\n`;
}

function endOf({ starts, ends }: CalendarEvent): string {
  if (isDay(starts)) return nextDay(starts);
  return ends ?? Temporal.Instant.from(starts).add({ hours: 1 }).toString();
}

/** Whether the clocks of the zone show another instant in the same way: then only UTC says which one is meant. */
function isTwice(time: string, zone: string | null): boolean {
  const shown = Temporal.Instant.from(time).toZonedDateTimeISO(zone ?? 'UTC');
  const local = shown.toPlainDateTime();
  const readings = (['earlier', 'later'] as const).map((disambiguation) =>
    local.toZonedDateTime(shown.timeZoneId, { disambiguation }),
  );
  return !readings[0]!.equals(readings[1]!);
}

/** The rules of a zone; null for UTC, and for a zone that has none here. */
function zoneOf(name: string | null): ICAL.Timezone | null {
  const [block] = name === null || name === 'UTC' ? [] : tzlib_get_ical_block(name);
  if (!block) return null;
  return new ICAL.Timezone({ tzid: name as string, component: new ICAL.Component(ICAL.parse(block)) });
}

/** @param time a day, or an instant, which is written as the clocks of the zone show it */
function timeOf(time: string, zone: ICAL.Timezone | null): ICAL.Time {
  if (isDay(time)) return ICAL.Time.fromDateString(time);
  if (zone === null) return ICAL.Time.fromDateTimeString(time);
  const local = Temporal.Instant.from(time).toZonedDateTimeISO(zone.tzid).toPlainDateTime();
  return ICAL.Time.fromDateTimeString(local.toString({ smallestUnit: 'second' }));
}
