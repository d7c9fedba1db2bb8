import { type CalendarEvent, calendarFile } from '@hearth/calendar';
import { type Language, t } from '@hearth/i18n';
import type { Context } from '../context.ts';
import type { MeetingRow } from '../db/meetings.ts';
import { meetingPath } from '../domain/elsewhere.ts';
import type { MeetingSide } from '../domain/meeting.ts';
import { uidOf } from '../domain/record.ts';

/** The meeting as a calendar file for one of its sides. */
export function calendarOf(
  { config, homeNames }: Pick<Context, 'config' | 'homeNames'>,
  row: MeetingRow,
  side: MeetingSide,
  language: Language,
  invitation?: CalendarEvent['invitation'],
): string {
  const { name, address } = side === 0 ? row.guest : row.host;
  return calendarFile({
    uid: uidOf(row, homeNames.ownHome),
    sequence: row.sequence,
    title: row.title,
    details: [language.words(t('calendar.with', { name, address })), row.note ?? '']
      .filter((part) => part !== '')
      .join('\n'),
    place: row.place ?? '',
    starts: instant(row.starts_at),
    ends: instant(row.ends_at),
    cancelled: row.status === 'cancelled',
    at: row.settled_at.getTime(),
    link: `${config.siteUrl}${meetingPath(row)}`,
    ...(invitation !== undefined && { invitation }),
  });
}

const instant = (at: Date) => at.toISOString().replace('.000Z', 'Z');
