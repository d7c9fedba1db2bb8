import type { MessageInitShape } from '@bufbuild/protobuf';
import { notFound } from '@hearth/errors';
import { newId } from '@hearth/home-acts';
import type { Claim } from '@hearth/idempotency';
import {
  type BookMeetingRequest,
  type MeetingSchema,
  MeetingsService,
} from '@hearth/proto/decisions/v1/meetings';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { asOwner } from '../../shared/actions/as-owner.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { type Bookable, findBookable } from '../actions/find-bookable.ts';
import { bookThere, pendingMeeting } from '../actions/on-elsewhere.ts';
import { showMeeting } from '../actions/show.ts';
import type { Context } from '../context.ts';
import type { MeetingRow } from '../db/meetings.ts';
import { meetingChanged } from '../domain/events.ts';
import { viewerOf } from '../domain/party.ts';

const { bookMeeting: method } = MeetingsService.method;

/** Books a time of an offer; if several callers book it at once, the first one gets it. */
export const bookMeeting =
  (context: Context): UnaryHandler<typeof method> =>
  async (request, call) =>
    await context.idempotency.once(call, method, request, {
      make: (claim) =>
        asOwner(context, call.caller, (caller) => make(context, request, { ...call, caller }, claim)),
      async repeat({ id }) {
        const made = await context.batches.meeting(id);
        const viewer = viewerIdOf(call.caller);
        if (made === null || made.guest_viewer !== viewer) throw notFound();
        return showMeeting(context, made, viewer);
      },
    });

async function make(
  context: Context,
  request: BookMeetingRequest,
  call: Call,
  claim: Claim<{ id: string }>,
): Promise<MessageInitShape<typeof MeetingSchema>> {
  const { caller } = call;
  const { note, requestId } = request;
  const bookable = await findBookable(context, request, caller);
  if (bookable.offer.elsewhere !== null) {
    const more = {
      ...(note !== undefined && { note }),
      ...(requestId !== undefined && { request_id: requestId }),
    };
    return (await bookThere(context, bookable, method, more, call)) ?? pendingMeeting(bookable, note);
  }
  const book = context.acts.said(caller)?.item;
  const id = newId(context.ids, bookable.offer.id, caller);
  const row = meetingOf(context, id, bookable, note, book);
  const unmailed = await unmailedOf(context, row);
  const offerOver = bookable.offer.booked + 1 >= bookable.offer.times;
  const told = meetingChanged(row, { what: 'booked', side: 1, by: caller, offerOver, unmailed });
  await context.book(
    { row, by: bookable.by, offer: bookable.offer, slot: bookable.slot.starts, told },
    requestId === undefined ? null : claim,
  );
  return showMeeting(context, await context.signing.now(row), row.guest_viewer);
}

/** uuids of the sides' people who get no mail: their account is held by an app, or has no email address. */
async function unmailedOf({ people }: Context, { host, guest }: MeetingRow): Promise<string[]> {
  const facts = await people.find([host.person, guest.person].filter((person) => person !== null));
  return [...facts.values()].flatMap(({ id, app, email }) => (app !== '' || email === '' ? id : []));
}

/** @param book the signed act as JSON, if it came from another home */
function meetingOf(
  { clock, ids }: Context,
  id: string,
  { offer, guest, slot }: Bookable,
  note: string | undefined,
  book: string | undefined,
): MeetingRow {
  const now = new Date(clock.now());
  const { title, place, time_zone, host, host_viewer } = offer;
  return {
    id,
    offer: offer.id,
    slot: new Date(slot.starts),
    ...{ title, place, time_zone, host, host_viewer, guest },
    starts_at: new Date(slot.starts),
    ends_at: new Date(slot.ends),
    guest_viewer: viewerOf(guest),
    note: note ?? null,
    status: 'booked',
    sequence: 0,
    ...{ moved_from: null, move: null, telling: false, cancelled_by: null, reason: null },
    ...{ booked_at: now, revision: 1, settled_at: now },
    ...{ record: ids.uuid(), signed_record: null, earlier_record: null, unsigned_before: null },
    ...{ elsewhere: null, acts: book === undefined ? {} : { book } },
  };
}
