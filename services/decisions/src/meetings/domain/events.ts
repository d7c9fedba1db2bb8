import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import type { MeetingRow } from '../db/meetings.ts';
import type { OfferRow } from '../db/offers.ts';
import type { Side } from './meeting.ts';
import { type Party, viewerOf } from './party.ts';
import { meetingTopic } from './topics.ts';

export function offerChanged(
  row: OfferRow,
  what: 'offered' | 'withdrawn',
  by: Caller | undefined,
): Announcement {
  const { id, title, host, group } = row;
  const seated = viewersOf(row);
  const viewers = [host.id, host.person, host.app, ...seated].filter((one) => one !== null);
  const value = { offer: id, title, what, viewers: group === null ? viewers : [...viewers, group] };
  return { data: { case: 'offerChanged', value }, by };
}

/** uuids of those to whom an offer was made by address, and who did not turn it away. */
export function viewersOf({ recipients }: Pick<OfferRow, 'recipients'>): string[] {
  return recipients.flatMap(({ party, how }) =>
    party === null || how === 'declined' || how === 'turned_away' ? [] : [viewerOf(party)],
  );
}

export interface Told {
  what: 'booked' | 'move_proposed' | 'moved' | 'move_declined' | 'cancelled';
  side: Side | null;
  by?: Caller | undefined;
  reason?: string;
  /** uuids of people to whom no mail goes; of those who are not named delivery asks. */
  unmailed?: readonly string[];
}

export function meetingChanged(
  row: MeetingRow,
  { what, side, by, reason = '', unmailed = [] }: Told,
): Announcement {
  const { id, title, host, guest } = row;
  const apps = [host.app, guest.app].filter((app) => app !== null);
  const value = {
    ...{ meeting: id, title, what, reason, apps: [...new Set(apps)] },
    startsAt: timestampFromDate(row.starts_at),
    ...(row.moved_from !== null && { movedFrom: timestampFromDate(row.moved_from) }),
    sides: [host, guest].map((party) => sideOf(party, unmailed)),
    bySide: side ?? 0,
    byItself: side === null,
  };
  return { data: { case: 'meetingChanged', value }, topics: [meetingTopic(id)], by };
}

const sideOf = ({ id, person, address, name }: Party, unmailed: readonly string[]) => ({
  ...{ id, person: person ?? '', address, name },
  unmailed: person !== null && unmailed.includes(person),
});
