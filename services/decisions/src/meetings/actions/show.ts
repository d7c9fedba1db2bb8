import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import {
  type Meeting,
  type MeetingOffer,
  MeetingOfferSchema,
  MeetingSchema,
} from '@hearth/proto/decisions/v1/meetings';
import { receiptLink } from '@hearth/receipts';
import type { Context } from '../context.ts';
import type { MeetingRow } from '../db/meetings.ts';
import type { OfferRow } from '../db/offers.ts';
import { shownMeeting, shownOffer } from '../domain/elsewhere.ts';
import { meetingStatuses, offerStatuses } from '../domain/enum-names.ts';
import { statusAt } from '../domain/meeting.ts';
import { isFree } from '../domain/offer.ts';
import { isVerified, viewerOf } from '../domain/party.ts';
import { uidOf } from '../domain/record.ts';
import { sideOf } from './change-meeting.ts';

/** An offer as a viewer (uuid) sees it; only the host sees the other recipients. */
export function showOffer({ clock }: Pick<Context, 'clock'>, row: OfferRow, viewer: string): MeetingOffer {
  const own = row.host_viewer === viewer;
  const seen = row.recipients.filter(({ party }) => own || party === null || viewerOf(party) === viewer);
  return create(MeetingOfferSchema, {
    id: shownOffer(row),
    by: row.host.address,
    byName: row.host.name,
    nameVerified: isVerified(row.host),
    title: row.title,
    to: row.audience === 'anyone' ? ['anyone'] : seen.map(({ to }) => to),
    slots: row.slots.map((slot) => ({
      startsAt: timestampFromMs(slot.starts),
      endsAt: timestampFromMs(slot.ends),
      free: isFree(row, slot, viewer, clock.now()),
    })),
    timeZone: row.time_zone,
    place: row.place ?? undefined,
    note: row.note ?? undefined,
    status: offerStatuses.valueOf(row.status),
    expiresAt: timestampFromDate(row.expires_at),
    times: row.times,
    booked: row.booked,
    createdAt: timestampFromDate(row.created_at),
    yours: own,
    handling: own ? row.recipients.map(({ to, how }) => ({ to, how })) : [],
  });
}

/** A meeting as one of its sides sees it. @param viewer uuid */
export function showMeeting(
  { clock, config, homeNames, sealer }: Pick<Context, 'clock' | 'config' | 'homeNames' | 'sealer'>,
  row: MeetingRow,
  viewer: string,
): Meeting {
  const side = sideOf(row, viewer);
  const other = side === 0 ? row.guest : row.host;
  const status = statusAt(row, clock.now());
  const { move, cancelled_by } = row;
  return create(MeetingSchema, {
    id: shownMeeting(row),
    uid: uidOf(row, homeNames.ownHome),
    sequence: row.sequence,
    offer: row.elsewhere?.offer ?? printId('ofr', row.offer),
    title: row.title,
    startsAt: timestampFromDate(row.starts_at),
    endsAt: timestampFromDate(row.ends_at),
    timeZone: row.time_zone,
    place: row.place ?? undefined,
    with: [other.address],
    withName: other.name,
    nameVerified: isVerified(other),
    offered: side === 0,
    status: meetingStatuses.valueOf(status),
    note: row.note ?? undefined,
    ...(row.moved_from !== null && { movedFrom: timestampFromDate(row.moved_from) }),
    ...(move !== null && { move: moveOf(move, side) }),
    ...(cancelled_by !== null && { cancelledBy: (cancelled_by === 0 ? row.host : row.guest).address }),
    reason: row.reason ?? undefined,
    bookedAt: timestampFromDate(row.booked_at),
    ...(row.signed_record !== null && {
      record: JSON.parse(row.signed_record),
      ...(row.elsewhere === null && { receipt: receiptLink(sealer, config.siteUrl, row.record) }),
    }),
    revision: row.revision,
    ...(row.elsewhere === null && row.signed_record === null && { pending: true }),
    ...(row.elsewhere?.disputed === true && { disputed: true }),
  });
}

function moveOf(
  { by, starts, ends, reason }: NonNullable<MeetingRow['move']>,
  side: number,
): MessageInitShape<typeof MeetingSchema>['move'] {
  return {
    startsAt: timestampFromMs(starts),
    endsAt: timestampFromMs(ends),
    yours: by === side,
    ...(reason !== '' && { reason }),
  };
}
