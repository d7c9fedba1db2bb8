import type { MessageInitShape } from '@bufbuild/protobuf';
import { withoutLinks } from '@hearth/addresses';
import { momentFor } from '@hearth/calendar';
import { type Language, t, wordMail } from '@hearth/i18n';
import { isUuid } from '@hearth/ids';
import type { PreparedSendSchema, SendRef, SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import type { UnaryHandler } from '@hearth/rpc';
import { calendarOf } from '../actions/calendar.ts';
import type { Context } from '../context.ts';
import type { MeetingRow } from '../db/meetings.ts';
import { meetingPath } from '../domain/elsewhere.ts';
import type { MeetingSide } from '../domain/meeting.ts';
import { isHere } from '../domain/party.ts';

/** Builds the mails for people whose accounts no app holds, with the meeting's current calendar file. */
export const prepareSends =
  (context: Context): UnaryHandler<typeof SendSourceService.method.prepareSends> =>
  async ({ sends }) => ({ sends: await Promise.all(sends.map((send) => prepare(context, send))) });

async function prepare(
  context: Context,
  { kind, id, part }: SendRef,
): Promise<MessageInitShape<typeof PreparedSendSchema>> {
  const wanted = kind === 'meeting_mail' && isUuid(id) && part <= 1;
  const row = wanted ? await context.batches.meeting(id) : null;
  if (row === null) return {};
  const side: MeetingSide = part === 0 ? 0 : 1;
  const [own, other] = side === 0 ? [row.host, row.guest] : [row.guest, row.host];
  const person = own.person === null || !isHere(own) ? null : await context.people.findOne(own.person);
  if (person === null || person.app !== '' || person.email === '') return {};
  const language = context.languages.of(person);
  const off = row.status === 'cancelled';
  const method = off ? 'CANCEL' : 'REQUEST';
  const organizer = `hearth@${context.homeNames.ownHome.replace(/:\d+$/, '')}`;
  const invitation = { method, organizer, attendee: person.email } as const;
  const value = {
    to: person.email,
    ...mailOf(context, row, { other: other.name, zone: person.timeZone || row.time_zone }, language),
    reportable: other.address,
    calendar: calendarOf(context, row, side, language, invitation),
    calendarMethod: method,
    language: language.tag,
  };
  return { content: { case: 'mail', value } };
}

const longest = 60;

function mailOf(
  { config }: Context,
  row: MeetingRow,
  { other, zone }: { other: string; zone: string },
  language: Language,
): { subject: string; text: string } {
  const [who, title] = [withoutLinks(other, longest), withoutLinks(row.title, longest)];
  const state = row.status === 'cancelled' ? 'cancelled' : row.moved_from === null ? 'other' : 'moved';
  return wordMail(language, t('mails.meeting-subject', { state, title }), [
    t('mails.meeting', { state, title, who, when: momentFor(row.starts_at, zone, row.time_zone) }),
    [
      t('mails.meeting-see', { state: state === 'cancelled' ? state : 'other' }),
      `${config.siteUrl}${meetingPath(row)}`,
    ],
    t('mails.meeting-calendar'),
  ]);
}
