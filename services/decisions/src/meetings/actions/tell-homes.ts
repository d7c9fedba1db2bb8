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

/** Whether a local offer has remote recipients. */
export function goesAway({ elsewhere, recipients }: Pick<OfferRow, 'elsewhere' | 'recipients'>): boolean {
  return elsewhere === null && recipients.some(isAway);
}

/** The event that sends the new state to the recipients' homes; empty if none is remote, or after the final state. */
export function offerDue({ offers }: Pick<Copies, 'offers'>, before: OfferRow): Announcement[] {
  return goesAway(before) && !isOver(before) ? [offers.due(before.id)] : [];
}

/** The event that sends the new state to the guest's home; empty if that is this home. */
export function meetingDue({ meetings }: Copies, { elsewhere, guest, id }: MeetingRow): Announcement[] {
  return elsewhere === null && isTold(guest) ? [meetings.due(id)] : [];
}

/** A local offer (uuid) as sent to its recipients' homes. */
export async function offerForHomes(
  context: Deps,
  id: string,
): Promise<OutgoingState<typeof MeetingOfferSchema> | null> {
  const row = await findOffer(context.database.db, id);
  return row === null || row.elsewhere !== null ? null : toldOffer(context, row);
}

/** `offerForHomes` from the row. Holds are left out; a remote guest learns of them when asking for the time. */
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

/** A local meeting (uuid) as sent to the guest's home: the guest's view. */
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

/** A local id as this party reads it. */
export function idFor({ homeNames }: Pick<Context, 'homeNames'>, party: Party, id: string): string {
  return isHere(party) ? id : printReference({ home: homeNames.ownHome, id });
}
