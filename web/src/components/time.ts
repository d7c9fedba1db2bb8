import type { Frame } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { presentName } from '../time-zones.ts';

/** A day, as '3 May 2026'. */
export function day(frame: Frame, atMs: number): Html {
  return time(frame, atMs, { dateStyle: 'long' });
}

/** A day that is no moment: YYYY-MM-DD, the same wherever one is. */
export function calendarDay(date: string): Html {
  const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return html`<time datetime="${date}">${words.format(Date.parse(`${date}T00:00:00Z`))}</time>`;
}

/** A month, as 'June 2027'. @param month YYYY-MM */
export function calendarMonth(month: string): Html {
  const words = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return html`<time datetime="${month}">${words.format(Date.parse(`${month}-01T00:00:00Z`))}</time>`;
}

/** A day and the time of day with the zone that it is in. */
export function moment(frame: Frame, atMs: number): Html {
  return time(frame, atMs, {
    ...{ day: 'numeric', month: 'long', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
  });
}

function time({ person }: Frame, atMs: number, format: Intl.DateTimeFormatOptions): Html {
  const iso = new Date(atMs).toISOString();
  const words = new Intl.DateTimeFormat('en-GB', { ...format, timeZone: knownZone(person?.timeZone) }).format(
    atMs,
  );
  return html`<time datetime="${iso}">${words}</time>`;
}

/** The zone under its name of today. One that this machine does not know is shown as UTC, which the text then says. */
export function knownZone(zone = 'UTC'): string {
  try {
    return presentName(new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone);
  } catch {
    return 'UTC';
  }
}
