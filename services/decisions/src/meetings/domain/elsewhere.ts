import { printId } from '@hearth/ids';

/** An offer or a meeting of another home. */
export interface Elsewhere {
  home: string;
  /** r:<home>:<id> */
  reference: string;
}

/** A meeting of another home, as that one calls it. */
export interface MeetingElsewhere extends Elsewhere {
  /** The UID of its calendar files. */
  uid: string;
  /** The reference of its offer. */
  offer: string;
  /** It says of the side here what they did not do. */
  disputed?: boolean;
}

/** The id of an offer as callers read it. */
export function shownOffer({ id, elsewhere }: { id: string; elsewhere: Elsewhere | null }): string {
  return elsewhere?.reference ?? printId('ofr', id);
}

/** The id of a meeting as callers read it. */
export function shownMeeting({ id, elsewhere }: { id: string; elsewhere: Elsewhere | null }): string {
  return elsewhere?.reference ?? printId('mtg', id);
}

/** @param offer its id, as the reader knows it */
export function offerPath(offer: string): string {
  return `/meetings/offers/${encodeURIComponent(offer)}`;
}

/** The page of a meeting. */
export function meetingPath(row: { id: string; elsewhere: Elsewhere | null }): string {
  return `/meetings/${encodeURIComponent(shownMeeting(row))}`;
}
