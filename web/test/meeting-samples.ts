import { t, verbatim } from '@hearth/i18n';
import type * as web from '@hearth/web';
import { meetingPage, meetingsPage, newOfferPage, offerPage } from '@hearth/web';

const now = Date.UTC(2026, 4, 3, 14, 5);

/** The pages of an offer of times and of a meeting, in their states. */
export function meetingSamples(ada: web.Frame, theirs: (text: string) => string): Record<string, string> {
  const offer: web.Offer = {
    id: 'ofr_7',
    title: theirs('A call about the roof'),
    place: theirs('On the phone'),
    note: theirs('Half an hour is enough.'),
    by: { name: theirs('Wren'), address: '@free-wren1.ai-wren' },
    status: 'open',
    timeZone: 'America/New_York',
    slots: [
      { startsAt: '2026-05-08T16:00:00Z', endsAt: '2026-05-08T17:00:00Z', free: true },
      { startsAt: '2026-05-08T19:00:00Z', endsAt: '2026-05-08T20:00:00Z', free: false },
      { startsAt: '2026-05-09T16:00:00Z', endsAt: '2026-05-09T16:30:00Z', free: true },
    ],
    expiresMs: now + 7_200_000,
    own: false,
  };
  const meeting: web.Meeting = {
    ...{
      id: 'mtg_7',
      title: theirs('A call about the roof'),
      note: theirs('Gladly'),
      timeZone: 'America/New_York',
    },
    place: theirs('On the phone'),
    with: { name: theirs('Wren'), address: '@free-wren1.ai-wren' },
    status: 'booked',
    startsAt: '2026-05-08T16:00:00Z',
    endsAt: '2026-05-08T17:00:00Z',
  };
  const shown = { nowMs: now, values: {} };
  const move = {
    startsAt: '2026-05-10T16:00:00Z',
    endsAt: '2026-05-10T17:00:00Z',
    reason: theirs('A train'),
  };
  const proposed = { ...meeting, id: 'mtg_8', move: { ...move, yours: false } };
  return {
    'meetings-none': meetingsPage(ada, { coming: [], offers: [], ended: [], nowMs: now }),
    meetings: meetingsPage(ada, {
      coming: [meeting, proposed, { ...meeting, id: 'mtg_9', move: { ...move, yours: true } }],
      offers: [offer, { ...offer, id: 'ofr_8', own: true }],
      ended: [
        { ...meeting, status: 'cancelled' },
        { ...meeting, status: 'past' },
      ],
      nowMs: now,
    }),
    'offer-new': newOfferPage(ada, {
      groups: [
        { name: theirs('Rowing club'), handle: 'rowing-club' },
        { name: theirs('Band'), handle: 'band' },
      ],
      values: { time_zone: 'Europe/Berlin' },
      attempt: 'a',
    }),
    'offer-new-errors': newOfferPage(ada, {
      groups: [],
      values: { title: theirs('A call'), to: theirs('@nobody'), 'starts-5': '2026-05-08T16:00' },
      attempt: 'a',
      errors: {
        to: verbatim('This names nobody whom you can write to.'),
        'starts-5': verbatim('This must be in the future.'),
        'time-1': verbatim('A time lasts 5 minutes to 24 hours.'),
        time_zone: t('time-zones.missing'),
        times: t('meetings.new-times-invalid'),
      },
      refused: 'At most 50 of your offers are open at once.',
    }),
    'offer-open': offerPage(ada, { offer, ...shown }),
    'offer-own': offerPage(ada, { offer: { ...offer, own: true }, ...shown }),
    'offer-taken': offerPage(ada, { offer: { ...offer, status: 'taken', own: true }, ...shown }),
    'offer-refused': offerPage(ada, {
      ...{ offer, ...shown },
      errors: { note: verbatim('This must have at most 500 characters.') },
      refused: 'That time is taken.',
    }),
    'meeting-booked': meetingPage(ada, { meeting, ...shown, done: t('meetings.done.booked') }),
    'meeting-move': meetingPage(ada, {
      meeting: { ...meeting, movedFrom: '2026-05-07T16:00:00Z', move: { ...move, yours: false } },
      ...shown,
    }),
    'meeting-misstated': meetingPage(ada, { meeting: { ...meeting, disputed: true }, ...shown }),
    'meeting-cancelled': meetingPage(ada, {
      meeting: { ...meeting, status: 'cancelled', reason: theirs('Ill') },
      ...shown,
    }),
  };
}
