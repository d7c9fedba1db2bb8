import { t } from '@hearth/i18n';
import { printId } from '@hearth/ids';
import { MeetingBookedSchema, MeetingCancelledSchema } from '@hearth/proto/delivery/v1/wake_ups';
import type { MeetingSide } from '@hearth/proto/events/v1/events';
import type { NoticeDraft } from './draft.ts';
import { type EventValue, type Family, listed, quiet } from './family.ts';
import { wakeUp } from './wake-up.ts';
import { byActor } from './words.ts';

/** An offer and a meeting are only in the lists of their sides. The message that carries an offer wakes AIs itself. */
export const meetingEvents = {
  offerChanged: {
    ...listed,
    activity({ what, title, viewers }, by) {
      // The offer's own home reports it there.
      if (what === 'ended') return null;
      const change = what === 'offered' ? what : 'withdrawn';
      const summary = t(`events.offer.${change}`, { ...byActor(by), title });
      return { action: `offer.${what}`, summary, subjects: viewers };
    },
  },
  meetingChanged: {
    ...quiet,
    app: null,
    activity({ what, title, sides, apps }, by) {
      const change = changes.find((known) => known === what);
      if (change === undefined) return null;
      return {
        action: `meeting.${change}`,
        summary: t(`events.meeting.${change}`, { ...byActor(by), title }),
        subjects: [...sides.flatMap(({ elsewhere, id, person }) => (elsewhere ? [] : [id, person])), ...apps],
      };
    },
    wakeUp(value) {
      const { what, startsAt, movedFrom, reason } = value;
      const id = shownId(value);
      if (what === 'cancelled')
        return othersOf(value).map(({ told, other }) =>
          wakeUp(
            MeetingCancelledSchema,
            { meeting: id, by: other.address, ...(reason !== '' && { reason }) },
            wokenOf(told),
          ),
        );
      if (what !== 'booked' && what !== 'moved') return null;
      return othersOf(value).map(({ told, other }) => {
        const moved = what === 'moved' && movedFrom !== undefined ? { movedFrom } : {};
        const data = { meeting: id, with: other.address, ...(startsAt && { startsAt }), ...moved };
        return wakeUp(MeetingBookedSchema, data, wokenOf(told));
      });
    },
    notice(value) {
      const change = calendared.find((known) => known === value.what);
      if (change === undefined) return null;
      return othersOf(value).flatMap(({ told, other }) =>
        told.person === '' ? [] : noticeFor(value, change, told, other),
      );
    },
    /** The calendars of both sides change. */
    mail: ({ meeting, what, sides }) =>
      calendared.some((known) => known === what)
        ? sides.flatMap(({ elsewhere, person, unmailed }, part) =>
            person === '' || unmailed || elsewhere
              ? []
              : { kind: 'meeting_mail' as const, id: meeting, part },
          )
        : null,
  },
} satisfies Family;

type Changed = EventValue<'meetingChanged'>;

const calendared = ['booked', 'moved', 'cancelled'] as const;

/** The changes that are activity. */
const changes = ['booked', 'move_proposed', 'moved', 'move_declined', 'cancelled'] as const;

/** The meeting's id, as callers know it. */
const shownId = ({ meeting, reference }: Changed) => reference || printId('mtg', meeting);

/**
 * Returns the sides to notify, each with the other side: both if neither acted. Another home notifies its own
 * people.
 */
function othersOf({ sides, bySide, byItself }: Changed): { told: MeetingSide; other: MeetingSide }[] {
  const [host, guest] = sides;
  if (host === undefined || guest === undefined) return [];
  const [toHost, toGuest] = [
    { told: host, other: guest },
    { told: guest, other: host },
  ];
  const others = byItself ? [toHost, toGuest] : [bySide === 0 ? toGuest : toHost];
  return others.filter(({ told }) => !told.elsewhere);
}

/** Returns the AI itself, or the AIs of a person. */
const wokenOf = ({ id, person }: MeetingSide) => (id === person ? { people: [person] } : { ais: [id] });

/** People without an app get a mail with the calendar file instead. */
function noticeFor(
  value: Changed,
  change: (typeof calendared)[number],
  told: MeetingSide,
  { name }: MeetingSide,
): NoticeDraft {
  const { meeting, title } = value;
  return {
    person: told.person,
    about: null,
    kind: 'plan',
    stage: `meeting_${change}`,
    item: meeting,
    title: t(`notices.meeting.${change}`, { name }),
    body: title,
    link: `/meetings/${encodeURIComponent(shownId(value))}`,
    except: '',
    appOnly: true,
  };
}
