import { printCursor, readCursor } from '../../shared/domain/cursor.ts';

/**
 * Where a member stands in a list of them. Somebody who is shielded from the viewer stands by the id that this viewer
 * alone knows them by, behind everybody else: their place says nothing that another viewer's list says too.
 */
export type MemberPlace = { shielded: false; at: number; person: string } | { shielded: true; id: string };

/** @param shieldedId the shp_ id under which the viewer knows them; null when the viewer sees who they are */
export function placeOf(joinedAt: Date, person: string, shieldedId: string | null): MemberPlace {
  return shieldedId === null
    ? { shielded: false, at: joinedAt.getTime(), person }
    : { shielded: true, id: shieldedId };
}

/** Newest first, then those who are shielded. */
export function compare(one: MemberPlace, other: MemberPlace): number {
  if (one.shielded) return other.shielded ? order(one.id, other.id) : 1;
  if (other.shielded) return -1;
  return other.at - one.at || order(other.person, one.person);
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The first `limit` entries behind `after`, in order, and whether there are more. */
export function cutPage<Entry extends { place: MemberPlace }>(
  entries: readonly Entry[],
  after: MemberPlace | null,
  limit: number,
): { shown: Entry[]; more: boolean } {
  const left = entries
    .filter(({ place }) => after === null || compare(place, after) > 0)
    .sort((one, other) => compare(one.place, other.place));
  return { shown: left.slice(0, limit), more: left.length > limit };
}

const shape = /^(?:(\d{1,15}),([0-9a-f-]{36})|(shp_[0-9a-f]{32}))$/;

export function printMemberPlace(place: MemberPlace): string {
  return printCursor(place.shielded ? [place.id] : [String(place.at), place.person]);
}

/** @throws bad_field for what is no cursor of this list */
export function readMemberPlace(text: string): MemberPlace {
  const [at, person, id] = readCursor(text, shape) as (string | undefined)[];
  return id === undefined
    ? { shielded: false, at: Number(at), person: person as string }
    : { shielded: true, id };
}
