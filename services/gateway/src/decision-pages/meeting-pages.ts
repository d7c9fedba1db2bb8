import { timestampDate } from '@bufbuild/protobuf/wkt';
import { instantOf } from '@hearth/calendar';
import { zoneNamed } from '@hearth/calendar/time-zone';
import { t } from '@hearth/i18n';
import {
  MeetingStatus,
  MeetingStatusSchema,
  MeetingsService,
  OfferStatus,
  OfferStatusSchema,
  type Meeting as Shown,
  type MeetingOffer as ShownOffer,
} from '@hearth/proto/decisions/v1/meetings';
import {
  type Meeting,
  meetingPage,
  meetingsPage,
  type Offer,
  offerPage,
  paths,
  type Words,
} from '@hearth/web';
import {
  type Context,
  doneOf,
  frameWithZone,
  msOf,
  nameOf,
  noticeOn,
  type Own,
  type OwnForm,
  type PageRequest,
  type Refusal,
  receiptPath,
  shown,
  unlessRefused,
} from '../pages/module.ts';
import { ownRefusal, tryAct } from './refusal.ts';

const {
  acceptMove,
  bookMeeting,
  cancelMeeting,
  declineMove,
  getMeeting,
  getMeetingIcs,
  getOffer,
  listMeetings,
  listOffers,
  moveMeeting,
  withdrawOffer,
} = MeetingsService.method;

const doneWords = {
  booked: t('meetings.done.booked'),
  accept: t('meetings.done.accept'),
  decline: t('meetings.done.decline'),
  move: t('meetings.done.move'),
  cancel: t('meetings.done.cancel'),
  offered: t('meetings.done.offered'),
  withdraw: t('meetings.done.withdraw'),
};

const idOf = (request: PageRequest) => request.param('id');

/** The pages on which a person books an offered time or withdraws an offer, and moves or cancels a meeting. */
export function addMeetingPages(context: Context): void {
  const { addOwnPage, ask } = context;
  addOwnPage('meetings', '/meetings', { get: (request) => showAll(context, request) });
  addOwnPage('offer', '/meetings/offers/:id', {
    opensByLink: true,
    get: (request) => showOffer(context, request, { done: doneOf(request, doneWords) }),
    async post(request) {
      const act = async () => {
        if (request.field('do') !== 'withdraw')
          return noticeOn(paths.meeting(await book(context, request)), 'booked');
        await context.send(withdrawOffer, { id: idOf(request) }, request.person);
        return noticeOn(paths.offer(idOf(request)), 'withdraw');
      };
      const again = (wrong: Refusal) => showOffer(context, request, { values: request.values, ...wrong });
      return await unlessRefused({ note: 'note' }, act, again, ownRefusal);
    },
  });
  addOwnPage('meeting', '/meetings/:id', {
    opensByLink: true,
    get: (request) => showMeeting(context, request, { done: doneOf(request, doneWords) }),
    async post(request) {
      const name = request.field('do');
      const wrong = await actOn(context, request, name);
      return wrong === undefined
        ? noticeOn(paths.meeting(idOf(request)), name)
        : await showMeeting(context, request, { values: request.values, ...wrong });
    },
  });
  addOwnPage('meeting_calendar', '/meetings/:id/calendar.ics', {
    async get(request) {
      const { text } = await ask(getMeetingIcs, { id: idOf(request) }, request.person);
      return { file: text, mediaType: 'text/calendar', name: `meeting-${idOf(request)}.ics` };
    },
  });
}

/** Books a slot; returns the meeting's id. */
async function book({ send }: Context, request: OwnForm): Promise<string> {
  const { field, given, person } = request;
  const wanted = { offer: idOf(request), slot: field('slot'), ...given('note') };
  return (await send(bookMeeting, wanted, person)).id;
}

async function actOn({ send }: Context, request: OwnForm, name: string): Promise<Refusal | undefined> {
  const { field, given, person } = request;
  const id = idOf(request);
  const acts: Record<string, () => Promise<unknown>> = {
    accept: () =>
      send(acceptMove, { id, ...given({ starts_at: 'shown_start', ends_at: 'shown_end' }) }, person),
    decline: () => send(declineMove, { id }, person),
    move: async () => send(moveMeeting, { id, ...given('reason'), starts_at: startOf(request) }, person),
    cancel: () => send(cancelMeeting, { id, ...given({ reason: 'cancel_reason' }) }, person),
  };
  const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
  if (act === undefined) return { refused: t('courses.unknown-act') };
  if (name === 'move' && field('starts_at') === '')
    return { errors: { starts_at: t('meetings.propose-missing') } };
  const reason = name === 'cancel' ? 'cancel_reason' : 'reason';
  return await tryAct({ starts_at: 'starts_at', ends_at: 'starts_at', reason }, act);
}

/** The start in the form's time zone, or else in the meeting's. @throws bad_field, ambiguous_time */
function startOf({ field }: Pick<OwnForm, 'field'>): string {
  const [start, zone] = [field('starts_at'), zoneNamed(field('zone'))];
  return zone === null ? start : instantOf(start, zone, 'starts_at');
}

/** How many offers, and how many meetings, the list shows. */
const shownOfEach = 100;

async function showAll(context: Context, request: Own<PageRequest>) {
  const { ask, clock, config } = context;
  const meetings = async (status: MeetingStatus) => {
    const found = await ask(listMeetings, { status, limit: shownOfEach }, request.person);
    return found.meetings.map((meeting) => meetingView(meeting, config.siteUrl));
  };
  const [coming, past, cancelled, open, frame] = await Promise.all([
    meetings(MeetingStatus.BOOKED),
    meetings(MeetingStatus.PAST),
    meetings(MeetingStatus.CANCELLED),
    ask(listOffers, { status: OfferStatus.OPEN, limit: shownOfEach }, request.person),
    frameWithZone(context, request),
  ]);
  const ended = [...past, ...cancelled].sort((one, other) => other.startsAt.localeCompare(one.startsAt));
  const offers = open.offers.map(offerView);
  const model = { coming: coming.reverse(), offers, ended: ended.slice(0, shownOfEach), nowMs: clock.now() };
  return { html: meetingsPage({ ...frame, requests: {} }, model) };
}

type More = Refusal & { values?: Readonly<Record<string, string>>; done?: Words | undefined };

async function showOffer(context: Context, request: Own<PageRequest>, more: More) {
  const { ask, clock } = context;
  const found = await ask(getOffer, { id: idOf(request) }, request.person);
  const frame = { ...(await frameWithZone(context, request)), requests: {} };
  const model = { offer: offerView(found), nowMs: clock.now(), values: {}, ...more };
  return shown(offerPage(frame, model), more);
}

async function showMeeting(context: Context, request: Own<PageRequest>, more: More) {
  const { ask, clock, config } = context;
  const found = await ask(getMeeting, { id: idOf(request) }, request.person);
  const frame = { ...(await frameWithZone(context, request)), requests: {} };
  const model = { meeting: meetingView(found, config.siteUrl), nowMs: clock.now(), values: {}, ...more };
  return shown(meetingPage(frame, model), more);
}

type Moment = Parameters<typeof timestampDate>[0] | undefined;
const instant = (at: Moment) => (at === undefined ? '' : timestampDate(at).toISOString());

function offerView({ by, byName, slots, expiresAt, status, ...rest }: ShownOffer): Offer {
  const { id, title, place, note, timeZone } = rest;
  return {
    ...{ id, title, place, note, timeZone },
    by: { name: byName, address: by },
    status: nameOf<Offer['status']>(OfferStatusSchema, status, 'open'),
    slots: slots.map(({ startsAt, endsAt, free }) => ({
      startsAt: instant(startsAt),
      endsAt: instant(endsAt),
      free,
    })),
    expiresMs: msOf(expiresAt) ?? 0,
    own: rest.yours,
  };
}

function meetingView(meeting: Shown, siteUrl: string): Meeting {
  const { disputed, id, title, place, note, timeZone, move, reason, movedFrom, receipt } = meeting;
  return {
    ...{ id, title, place, note, timeZone, reason, disputed },
    with: { name: meeting.withName, address: meeting.with[0] ?? '' },
    status: nameOf<Meeting['status']>(MeetingStatusSchema, meeting.status, 'booked'),
    startsAt: instant(meeting.startsAt),
    endsAt: instant(meeting.endsAt),
    movedFrom: movedFrom && instant(movedFrom),
    move: move && {
      ...{ yours: move.yours, reason: move.reason },
      startsAt: instant(move.startsAt),
      endsAt: instant(move.endsAt),
    },
    receipt: receiptPath(receipt, siteUrl),
  };
}
