import { printId } from '@hearth/ids';

/** The page of a meeting. @param id uuid */
export function meetingPath(id: string): string {
  return `/meetings/${printId('mtg', id)}`;
}
