import { printId } from '@hearth/ids';

/** The origin of a remote offer or meeting. */
export interface Elsewhere {
  home: string;
  /** r:<home>:<id> */
  reference: string;
}

/** The origin of a remote meeting, with its home's identifiers. */
export interface MeetingElsewhere extends Elsewhere {
  /** The UID of its calendar files. */
  uid: string;
  /** The reference of its offer. */
  offer: string;
  /** Whether it misstates the local side's acts. */
  disputed?: boolean;
}

/** The offer's id as callers read it. */
export function shownOffer({ id, elsewhere }: { id: string; elsewhere: Elsewhere | null }): string {
  return elsewhere?.reference ?? printId('ofr', id);
}

/** The meeting's id as callers read it. */
export function shownMeeting({ id, elsewhere }: { id: string; elsewhere: Elsewhere | null }): string {
  return elsewhere?.reference ?? printId('mtg', id);
}

/** @param offer the id as the reader knows it */
export function offerPath(offer: string): string {
  return `/meetings/offers/${encodeURIComponent(offer)}`;
}

/** The meeting's page. */
export function meetingPath(row: { id: string; elsewhere: Elsewhere | null }): string {
  return `/meetings/${encodeURIComponent(shownMeeting(row))}`;
}
