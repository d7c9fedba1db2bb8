import { cursorOf } from '@hearth/paging';

/**
 * The place of a member in a list. A member who is shielded from the viewer stands behind the others, in the order of the
 * id that only this viewer knows: the place tells nothing that another viewer's list tells too.
 */
export type MemberPlace = { shielded: false; at: number; person: string } | { shielded: true; id: string };

/** @param shieldedId the shp_ id under which the viewer knows them; null when they are not shielded */
export function placeOf(joinedAt: Date, person: string, shieldedId: string | null): MemberPlace {
  return shieldedId === null
    ? { shielded: false, at: joinedAt.getTime(), person }
    : { shielded: true, id: shieldedId };
}

/** The newest first, then the shielded members. */
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

const openCursor = cursorOf({ at: 'time', person: 'uuid' });
const shieldedCursor = cursorOf({ id: 'text' });

export function printMemberPlace(place: MemberPlace): string {
  return place.shielded
    ? shieldedCursor.print(place)
    : openCursor.print({ at: new Date(place.at), person: place.person });
}

/** @throws bad_field for a text that is no cursor of this list */
export function readMemberPlace(text: string): MemberPlace {
  const { id } = shieldedCursor.read(text);
  if (/^shp_[0-9a-f]{32}$/.test(id)) return { shielded: true, id };
  const { at, person } = openCursor.read(text);
  return { shielded: false, at: at.getTime(), person };
}
