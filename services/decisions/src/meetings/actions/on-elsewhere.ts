import { create, type DescMethod, type MessageShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { day } from '@hearth/clock';
import { HearthError } from '@hearth/errors';
import { actorOf } from '@hearth/home-acts';
import {
  type Meeting,
  MeetingSchema,
  type MeetingsService,
  type SlotHold,
} from '@hearth/proto/decisions/v1/meetings';
import { type Call, type Caller, callerKinds } from '@hearth/rpc';
import type { JsonObject } from '@hearth/signing';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import type { Context } from '../context.ts';
import type { MeetingRow } from '../db/meetings.ts';
import type { Elsewhere, MeetingElsewhere } from '../domain/elsewhere.ts';
import { isVerified, type Party } from '../domain/party.ts';
import type { Bookable } from './find-bookable.ts';
import { callerOf, toParty } from './find-party.ts';

type Methods = (typeof MeetingsService)['method'];
type Book = Methods['bookMeeting' | 'holdSlot'];
/** Operations that a side of another home performs at the meeting's home. */
export type Change = Methods['moveMeeting' | 'acceptMove' | 'declineMove' | 'cancelMeeting'];

/** A remote meeting. */
export type RowElsewhere = MeetingRow & { elsewhere: MeetingElsewhere };

export function isElsewhere(row: MeetingRow): row is RowElsewhere {
  return row.elsewhere !== null;
}

const longestMs = 14 * day;

/** Books or holds a time at the offer's home; null until that home answers. */
export async function bookThere<Method extends Book>(
  context: Context,
  { guest, offer, slot }: Bookable,
  method: Method,
  more: JsonObject,
  { answerWith, caller }: Call,
): Promise<MessageShape<Method['output']> | null> {
  const request = { slot: new Date(slot.starts).toISOString(), ...more };
  return await callThere(context, offer.elsewhere as Elsewhere, method, request, caller, guest, answerWith);
}

/** A meeting that the remote home has not confirmed yet. */
export function pendingMeeting({ offer, slot }: Bookable, note: string | undefined): Meeting {
  const { elsewhere, host, place, time_zone, title } = offer;
  return create(MeetingSchema, {
    ...{ offer: elsewhere?.reference ?? '', title, timeZone: time_zone, place: place ?? undefined, note },
    ...{ with: [host.address], withName: host.name, nameVerified: isVerified(host) },
    ...{ startsAt: timestampFromMs(slot.starts), endsAt: timestampFromMs(slot.ends) },
    pending: true,
  });
}

/** @throws unavailable (home_unreachable) if the home has not answered */
export function requireAnswer(hold: SlotHold | null): SlotHold {
  if (hold !== null) return hold;
  throw new HearthError('unavailable', 'the home of this offer has not answered yet; ask again', {
    code: 'home_unreachable',
  });
}

/** Calls the remote home as the party that booked: a person who booked for their AI still acts as that AI. */
export async function callThere<Method extends Book | Change>(
  { copies, peers }: Context,
  elsewhere: Elsewhere,
  method: Method,
  request: JsonObject,
  caller: Caller,
  guest: Party,
  answerWith?: Call['answerWith'],
): Promise<MessageShape<Method['output']> | null> {
  const isSelf =
    caller.minor || (caller.kind === callerKinds.AI ? caller.id : viewerIdOf(caller)) === guest.id;
  const { results } = isSelf
    ? { results: [] }
    : await peers.identity.findProfiles({ ids: [guest.id] }, { caller });
  const profile = results[0]?.profile;
  const actor = isSelf
    ? caller
    : { ...callerOf(profile === undefined ? guest : toParty(profile)), via: caller.via };
  const kept = { viewer: viewerIdOf(caller), guest: guest.id, request };
  const calling = { method: method as DescMethod, request, caller: actor, kept, answerWith };
  const answer = (await copies.meetings.call(elsewhere, calling)) as MessageShape<Method['output']> | null;
  // The other side belongs to the answering home, so this home can't vouch for its name.
  return answer !== null && 'nameVerified' in answer ? { ...answer, nameVerified: false } : answer;
}

/** Sends an act by rule to the meeting's home: the local side is gone, or blocks the other. */
export async function sendThere(
  { clock, commit, copies }: Context,
  { elsewhere, ends_at, guest }: RowElsewhere,
  operation: 'cancel_meeting' | 'decline_move',
): Promise<void> {
  const actor = actorOf(callerOf(guest));
  const expiresAt = new Date(Math.min(ends_at.getTime(), clock.now() + longestMs));
  const rule = { by: 'rule', proof: 'key', via: 'home' } as const;
  const kept = { guest: guest.id, request: {} };
  const act = { ...rule, operation, request: {}, actor, kept, expiresAt };
  await commit((tx) => copies.meetings.send(tx, elsewhere, act));
}
