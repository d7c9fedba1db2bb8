import { timeIn } from '@hearth/calendar/moments';
import { formatted, type Text, t } from '@hearth/i18n';
import type { Frame } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { type Readers, zonedTime } from './zoned-time.ts';

/** A day, as 'Sun, 3 May 2026'. */
export const day = (frame: Frame, atMs: number): Html =>
  zonedTime(frame, new Date(atMs).toISOString(), undefined, 'day');

/** A date without a time, YYYY-MM-DD; the same in every time zone. */
export function calendarDay(date: string): Html {
  return html`<time datetime="${date}">${timeIn(date, null)}</time>`;
}

/** When a key or a sign-in was last used. @param date YYYY-MM-DD */
export const usedWords = (date: string | undefined): Text =>
  date === undefined ? t('account.not-used') : t('account.last-used', { day: calendarDay(date) });

/** A month, as 'June 2027'. @param month YYYY-MM */
export function calendarMonth(month: string): Html {
  const words = formatted(({ tag }) =>
    new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
      Date.parse(`${month}-01T00:00:00Z`),
    ),
  );
  return html`<time datetime="${month}">${words}</time>`;
}

/** A date and time. */
export const moment = (frame: Readers, atMs: number): Html => zonedTime(frame, new Date(atMs).toISOString());
