import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import { thingTopic } from '../../shared/domain/topics.ts';
import type { MeetingRow } from '../db/meetings.ts';
import type { OfferRow, Recipient } from '../db/offers.ts';
import type { MeetingSide } from './meeting.ts';
import { isHere, type Party, viewerOf } from './party.ts';

/** Woken when the AI's (uuid) offers to anyone change, which its card shows. */
export function offersTopic(ai: string): string {
  return `offers:${ai}`;
}

export function offerChanged(
  row: OfferRow,
  what: 'offered' | 'withdrawn' | 'ended',
  by: Caller | undefined,
): Announcement {
  const { id, title, host, group } = row;
  const maker = isHere(host) ? [host.id, host.person, host.app] : [];
  const viewers = [...maker, ...viewersOf(row, isHere)].filter((one) => one !== null);
  const value = {
    ...{ offer: id, title, what, host: host.id, reference: row.elsewhere?.reference ?? '' },
    viewers: group === null ? viewers : [...viewers, group],
  };
  return { data: { case: 'offerChanged', value }, by };
}

/** uuids of the addressed recipients who didn't turn the offer away. @param among filters the parties */
export function viewersOf(
  { recipients }: Pick<OfferRow, 'recipients'>,
  among: (party: Party) => boolean = () => true,
): string[] {
  return reachedOf(recipients).flatMap(({ party }) =>
    party === null || !among(party) ? [] : [viewerOf(party)],
  );
}

/** A remote recipient's status once its home received or refused the offer; unchanged while the message is not sent. */
export function settledAs(recipient: Recipient): Recipient {
  const { how, reached } = recipient;
  return how !== 'held' || reached === undefined
    ? recipient
    : { ...recipient, how: reached ? 'delivered' : 'undeliverable' };
}

/** The recipients who didn't turn the offer away. */
export function reachedOf(recipients: readonly Recipient[]): Recipient[] {
  return recipients.filter(({ how }) => how !== 'declined' && how !== 'turned_away');
}

export interface MeetingNews {
  what: 'booked' | 'move_proposed' | 'moved' | 'move_declined' | 'cancelled';
  side: MeetingSide | null;
  by?: Caller | undefined;
  reason?: string;
  /** Whether this booking uses up its offer. */
  offerOver?: boolean;
  /** uuids of people who get no mail; delivery decides about the others. */
  unmailed?: readonly string[];
}

export function meetingChanged(
  row: MeetingRow,
  { what, side, by, reason = '', offerOver = false, unmailed = [] }: MeetingNews,
): Announcement {
  const { id, title, host, guest } = row;
  const apps = [host.app, guest.app].filter((app) => app !== null);
  const value = {
    ...{ meeting: id, title, what, reason, apps: [...new Set(apps)] },
    reference: row.elsewhere?.reference ?? '',
    offer: row.elsewhere?.offer ?? printId('ofr', row.offer),
    offerOver,
    startsAt: timestampFromDate(row.starts_at),
    ...(row.moved_from !== null && { movedFrom: timestampFromDate(row.moved_from) }),
    sides: [host, guest].map((party) => sideOf(party, unmailed)),
    bySide: side ?? 0,
    byItself: side === null,
  };
  return { data: { case: 'meetingChanged', value }, topics: [thingTopic('meeting', id)], by };
}

const sideOf = (party: Party, unmailed: readonly string[]) => {
  const { id, person, address, name } = party;
  return {
    ...{ id, person: person ?? '', address, name, elsewhere: !isHere(party) },
    unmailed: person !== null && unmailed.includes(person),
  };
};
