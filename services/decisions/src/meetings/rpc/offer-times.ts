import { timestampDate } from '@bufbuild/protobuf/wkt';
import { zoneNamed } from '@hearth/calendar/time-zone';
import type { Db } from '@hearth/db';
import { badField, badRequest, forbidden, notFound } from '@hearth/errors';
import { type Claim, scopeOf } from '@hearth/idempotency';
import { sizeOf } from '@hearth/limits';
import { MeetingsService, type OfferTimesRequest } from '@hearth/proto/decisions/v1/meetings';
import { Scope } from '@hearth/proto/options';
import { type Call, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { asOwner, requireOwners } from '../../shared/actions/as-owner.ts';
import { findAddressed } from '../../shared/actions/find-addressed.ts';
import { findGroup } from '../../shared/actions/find-group.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { findCaller, toParty } from '../actions/find-party.ts';
import { lockTimes } from '../actions/host-times.ts';
import { sendOffer } from '../actions/send-offer.ts';
import { showOffer } from '../actions/show.ts';
import { goesAway, offerDue, toldOffer } from '../actions/tell-homes.ts';
import type { Context } from '../context.ts';
import {
  countOpen,
  deleteOffer,
  findOffer,
  insertOffers,
  type OfferRow,
  type Recipient,
} from '../db/offers.ts';
import { offerChanged, offersTopic } from '../domain/events.ts';
import { dueAt, lastStart } from '../domain/offer.ts';
import { ownedOf } from '../domain/party.ts';
import { readSlots } from '../domain/read-slots.ts';

const { offerTimes: method } = MeetingsService.method;

/** Offers times and sends the offer to its recipients. An offer that reaches no recipient is not stored. */
export const offerTimes =
  (context: Context): UnaryHandler<typeof method> =>
  async (request, call) =>
    await context.idempotency.once(call, method, request, {
      make: (claim) =>
        asOwner(context, call.caller, (caller) => make(context, request, { ...call, caller }, claim)),
      async repeat({ id }) {
        const made = await findOffer(context.database.db, id);
        const viewer = viewerIdOf(call.caller);
        if (made === null || made.host_viewer !== viewer) throw notFound();
        return showOffer(context, made, viewer);
      },
    });

async function make(context: Context, request: OfferTimesRequest, call: Call, claim: Claim<{ id: string }>) {
  const { caller } = call;
  const given = await read(context, request, call);
  const row = await context.commit(async (tx) => {
    await claim(tx, { id: given.id });
    await requireOwners(tx, ownedOf(given.host), caller.id);
    const times = await lockTimes(context, tx, { viewers: [given.host_viewer], periods: given.slots });
    await requireRoom(tx, given.host_id, sizeOf(context.limits, 'open_offers'));
    const row = times.fitted(given);
    if (row.status !== 'open')
      throw badRequest('you have other meetings at all of these times; offer others', {
        code: 'slot_taken',
        field: 'slots',
      });
    await insertOffers(tx, [row]);
    if (row.audience === 'anyone') tx.wake(offersTopic(row.host_id));
    tx.announce(offerChanged(row, 'offered', caller));
    // Sent before its message, so that recipients of the message find it.
    if (goesAway(row)) await context.copies.offers.tell(tx, row.id, toldOffer(context, row));
    return row;
  });
  if (!row.sending) return showOffer(context, row, row.host_viewer);
  const { row: sent, refusal } = await sendOffer(context, row);
  if (sent.recipients.some(({ how }) => how !== 'turned_away'))
    return showOffer(context, sent, row.host_viewer);
  await context.commit(async (tx) => {
    await deleteOffer(tx, row.id, scopeOf(caller), request.requestId ?? '');
    tx.announce(...offerDue(context.copies, row));
  });
  throw refusal;
}

/** @throws bad_request (cap_reached) */
async function requireRoom(db: Db, host: string, most: number): Promise<void> {
  if ((await countOpen(db, host)) >= most)
    throw badRequest(`at most ${most} of your offers are open at once; withdraw one`, {
      code: 'cap_reached',
      limit: 'open_offers',
    });
}

async function read(context: Context, request: OfferTimesRequest, call: Call): Promise<OfferRow> {
  const { clock, ids, limits } = context;
  const host = await findCaller(context, call.caller);
  const zone = zoneNamed(request.timeZone);
  if (zone === null) throw badField('time_zone', 'must be an IANA time zone such as Europe/Zurich, or UTC');
  const now = clock.now();
  const slots = readSlots(request.slots, { zone, now, aheadDays: sizeOf(limits, 'meeting_ahead_days') });
  const last = lastStart(slots);
  const expires = request.expiresAt === undefined ? last : timestampDate(request.expiresAt).getTime();
  if (expires <= now) throw badField('expires_at', 'must be in the future');
  const times = request.times ?? 1;
  if (times > slots.length) throw badField('times', `must be at most the number of slots: ${slots.length}`);
  const to = await readTo(context, request, call, host.id);
  const row = {
    id: ids.uuid(),
    title: request.title,
    place: request.place ?? null,
    note: request.note ?? null,
    time_zone: zone,
    ...{ host, host_id: host.id, host_viewer: viewerIdOf(call.caller) },
    ...to,
    ...{ slots, holds: [], busy: [], times, booked: 0, status: 'open' as const },
    created_at: new Date(now),
    expires_at: new Date(Math.min(expires, last)),
    ...{ sending: to.recipients.length > 0, elsewhere: null },
  };
  return { ...row, due_at: dueAt(row) };
}

type To = Pick<OfferRow, 'audience' | 'group' | 'group_address' | 'recipients'>;

/**
 * @throws bad_field, not_found, forbidden (turned_away) for people under 18, in the same words as for others
 * who take no offers
 */
async function readTo(context: Context, { to }: OfferTimesRequest, call: Call, self: string): Promise<To> {
  const [first = ''] = to;
  const none = { group: null, group_address: null, recipients: [] };
  if (to.includes('anyone')) {
    requireAlone(to, 'anyone');
    return { audience: 'anyone', ...none };
  }
  const group = to.find((one) => one.startsWith('&'));
  if (group !== undefined && !group.includes('.ai-')) {
    requireAlone(to, 'a group');
    return await readGroup(context, first, call);
  }
  const found = await findAddressed(context, to, 'to', call);
  const recipients = found.map((profile, index): Recipient => {
    if (found.findIndex(({ id }) => id === profile.id) < index)
      throw badField(`to[${index}]`, 'is there twice');
    if (profile.id === self) throw badField(`to[${index}]`, 'is yourself');
    if (profile.minor)
      throw forbidden('this address does not take messages from you', { code: 'turned_away' });
    return { to: profile.address, party: toParty(profile), how: 'sending' };
  });
  return { ...none, audience: 'addresses', recipients };
}

async function readGroup(context: Context, reference: string, call: Call): Promise<To> {
  const { caller } = call;
  if (caller.kind === callerKinds.AI && !caller.scopes.includes(Scope.GROUP) && caller.group === '')
    throw forbidden('this needs the permission group', { scopes: ['group'] });
  const { id, handle } = (await findGroup(context, reference, call)).group;
  const address = `&${handle}`;
  const recipients = [{ to: address, party: null, how: 'sending' }];
  return { audience: 'group', group: id, group_address: address, recipients };
}

function requireAlone(to: readonly string[], what: string): void {
  if (to.length > 1) throw badField('to', `must be ${what} alone, or addresses`);
}
