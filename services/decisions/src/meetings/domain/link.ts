import { type Elsewhere, shownMeeting } from './elsewhere.ts';

/** The page of a meeting. */
export function meetingPath(row: { id: string; elsewhere: Elsewhere | null }): string {
  return `/meetings/${encodeURIComponent(shownMeeting(row))}`;
}
