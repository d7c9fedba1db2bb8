import { type Elsewhere, shownMeeting } from './elsewhere.ts';

/** @param offer its id, as the reader knows it */
export function offerPath(offer: string): string {
  return `/meetings/offers/${encodeURIComponent(offer)}`;
}

/** The page of a meeting. */
export function meetingPath(row: { id: string; elsewhere: Elsewhere | null }): string {
  return `/meetings/${encodeURIComponent(shownMeeting(row))}`;
}
