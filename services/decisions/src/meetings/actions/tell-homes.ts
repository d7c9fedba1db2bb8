import { printReference } from '@hearth/addresses';
import { actorOf, homesOf, type OutgoingState } from '@hearth/home-acts';
import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import type { MeetingOfferSchema, MeetingSchema } from '@hearth/proto/decisions/v1/meetings';
import type { Context } from '../context.ts';
import { findMeetings, type MeetingRow } from '../db/meetings.ts';
import { findOffer, type OfferRow, type Recipient } from '../db/offers.ts';
import { reachedOf } from '../domain/events.ts';
import { isOver } from '../domain/offer.ts';
import { isHere, isTold, type Party } from '../domain/party.ts';
import { callerOf } from './find-party.ts';
import { showMeeting, showOffer } from './show.ts';

type Deps = Pick<Context, 'clock' | 'config' | 'database' | 'homeNames' | 'sealer'>;
type Copies = Pick<Context, 'copies'>['copies'];

export const isAway = ({ party }: Recipient) => party !== null && isTold(party);

/** Whether an offer was made to anyone of another home. */
export function goesAway({ elsewhere, recipients }: Pick<OfferRow, 'elsewhere' | 'recipients'>): boolean {
  return elsewhere === null && recipients.some(isAway);
}

/** Announced with a change of an offer: the homes of its recipients are to be told. Nothing follows the last state. */
export function offerDue({ offers }: Pick<Copies, 'offers'>, before: OfferRow): Announcement[] {
  return goesAway(before) && !isOver(before) ? [offers.due(before.id)] : [];
}

/** Announced with a change of a meeting: the home of who booked it is to be told. */
export function meetingDue({ meetings }: Copies, { elsewhere, guest, id }: MeetingRow): Announcement[] {
  return elsewhere === null && isTold(guest) ? [meetings.due(id)] : [];
}

/** An offer (uuid) as the homes of those to whom it was made are told of it. */
export async function offerForHomes(
  context: Deps,
  id: string,
): Promise<OutgoingState<typeof MeetingOfferSchema> | null> {
  const row = await findOffer(context.database.db, id);
  return row === null || row.elsewhere !== null ? null : toldOffer(context, row);
}

/** The same of its row. A hold shows when its time is asked for. */
export function toldOffer(
  context: Pick<Deps, 'clock'>,
  row: OfferRow,
): OutgoingState<typeof MeetingOfferSchema> {
  const away = reachedOf(row.recipients).filter(isAway);
  return {
    id: printId('ofr', row.id),
    message: showOffer(context, { ...row, holds: [] }, ''),
    final: isOver(row),
    homes: homesOf(away.map(({ party, to: address }) => ({ home: party?.home ?? '', address }))),
    from: actorOf(callerOf(row.host)),
    expiresAt: row.status === 'open' ? row.expires_at : undefined,
  };
}

/** A meeting (uuid) as the home of who booked it is told of it: as they see it. */
export async function meetingForHomes(
  context: Deps,
  id: string,
): Promise<OutgoingState<typeof MeetingSchema> | null> {
  const [row = null] = await findMeetings(context.database.db, [id]);
  if (row === null || row.elsewhere !== null || !isTold(row.guest)) return null;
  const { guest, guest_viewer, host, signed_record, status } = row;
  return {
    id: printId('mtg', id),
    message: showMeeting(context, row, guest_viewer),
    spare: ['record'],
    final: status === 'cancelled' && signed_record !== null,
    homes: [{ home: guest.home as string, to: [guest.address] }],
    from: actorOf(callerOf(host)),
  };
}

/** The id of a thing of this home, as that party reads it. */
export function idFor({ homeNames }: Pick<Context, 'homeNames'>, party: Party, id: string): string {
  return isHere(party) ? id : printReference({ home: homeNames.ownHome, id });
}
