import { printId } from '@hearth/ids';
import { MeetingBookedSchema, MeetingCancelledSchema } from '@hearth/proto/delivery/v1/wake_ups';
import type { MeetingSide } from '@hearth/proto/events/v1/events';
import type { NoticeDraft } from './draft.ts';
import { type EventValue, type Family, listed, quiet } from './family.ts';
import { wakeUp } from './wake-up.ts';
import { sentence } from './words.ts';

/** An offer and a meeting stand in the lists of their sides alone. The message of an offer wakes by itself. */
export const meetingEvents = {
  offerChanged: {
    ...listed,
    activity({ what, title, viewers }, { who }) {
      // Its own home tells it there.
      if (what === 'ended') return null;
      const words =
        what === 'offered'
          ? sentence(who, `offered times: ${title}`, `Times were offered: ${title}`)
          : sentence(who, `took an offer of times back: ${title}`, `An offer of times ended: ${title}`);
      return { action: `offer.${what}`, summary: words, subjects: viewers };
    },
  },
  meetingChanged: {
    ...quiet,
    app: null,
    activity({ what, title, sides, apps }, { who }) {
      const words = sentences[what];
      if (words === undefined) return null;
      return {
        action: `meeting.${what}`,
        summary: sentence(who, `${words[0]}: ${title}`, `${words[1]}: ${title}`),
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
    notice: (value) =>
      calendared.has(value.what)
        ? othersOf(value).flatMap(({ told, other }) =>
            told.person === '' ? [] : noticeFor(value, told, other),
          )
        : null,
    /** The calendars of both change. */
    mail: ({ meeting, what, sides }) =>
      calendared.has(what)
        ? sides.flatMap(({ elsewhere, person, unmailed }, part) =>
            person === '' || unmailed || elsewhere
              ? []
              : { kind: 'meeting_mail' as const, id: meeting, part },
          )
        : null,
  },
} satisfies Family;

type Changed = EventValue<'meetingChanged'>;

const calendared: ReadonlySet<string> = new Set(['booked', 'moved', 'cancelled']);

/** By an actor, and by itself. */
const sentences: Record<string, readonly [string, string]> = {
  booked: ['booked a time', 'A time was booked'],
  move_proposed: ['proposed another time', 'Another time was proposed'],
  moved: ['moved a meeting', 'A meeting was moved'],
  move_declined: ['declined another time', 'Another time was declined'],
  cancelled: ['called a meeting off', 'A meeting was called off'],
};

/** The meeting as callers read it. */
const shownId = ({ meeting, reference }: Changed) => reference || printId('mtg', meeting);

/** The side that learns of it, with the other one; both where neither did it. Another home tells its own. */
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

/** The AI itself, or the AIs of a person. */
const wokenOf = ({ id, person }: MeetingSide) => (id === person ? { people: [person] } : { ais: [id] });

/** Those whom no app holds get a mail with the calendar file in its place. */
function noticeFor(value: Changed, told: MeetingSide, other: MeetingSide): NoticeDraft {
  const { meeting, title, what } = value;
  return {
    person: told.person,
    about: null,
    kind: 'plan',
    stage: `meeting_${what}`,
    item: meeting,
    title: titles[what]?.(other.name) ?? '',
    body: title,
    link: `/meetings/${encodeURIComponent(shownId(value))}`,
    except: '',
    appOnly: true,
  };
}

const titles: Record<string, (name: string) => string> = {
  booked: (name) => `${name} booked a time with you`,
  moved: (name) => `${name} moved a meeting with you`,
  cancelled: (name) => `The meeting with ${name} is off`,
};
