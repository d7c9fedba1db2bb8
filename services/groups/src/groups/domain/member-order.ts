import { cursorOf } from '@hearth/paging';

/**
 * A member's place in a list. Shielded members come last, ordered by the id that only this viewer knows, so
 * the place reveals nothing that could be matched with another viewer's list.
 */
export type MemberPlace = { person: string } & (
  | { shielded: false; at: number }
  | { shielded: true; id: string }
);

/** A place as a cursor contains it: a shielded member only by the viewer's own id for them. */
export type ToldPlace = { shielded: false; at: number; person: string } | { shielded: true; id: string };

/** @param shieldedId the viewer's shp_ id for a shielded member; null if not shielded */
export function placeOf(joinedAt: Date, person: string, shieldedId: string | null): MemberPlace {
  return shieldedId === null
    ? { shielded: false, at: joinedAt.getTime(), person }
    : { shielded: true, id: shieldedId, person };
}

/** Orders newest first, then shielded members. */
export function compare(one: ToldPlace, other: ToldPlace): number {
  if (one.shielded) return other.shielded ? order(one.id, other.id) : 1;
  if (other.shielded) return -1;
  return other.at - one.at || order(other.person, one.person);
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

export const isSamePlace = (one: ToldPlace, other: ToldPlace): boolean => compare(one, other) === 0;

/** The first `limit` places after `after`, and whether more follow. @param places in order */
export function cutPage<Place extends ToldPlace>(
  places: readonly Place[],
  after: ToldPlace | null,
  limit: number,
): { shown: Place[]; more: boolean } {
  const begin = after === null ? 0 : countUpTo(places, after);
  return { shown: places.slice(begin, begin + limit), more: places.length > begin + limit };
}

/** Counts the places up to and including `after`. */
function countUpTo(places: readonly ToldPlace[], after: ToldPlace): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(places[middle] as ToldPlace, after) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

const openCursor = cursorOf({ at: 'time', person: 'uuid' });
const shieldedCursor = cursorOf({ id: 'text' });

export function printMemberPlace(place: ToldPlace): string {
  return place.shielded
    ? shieldedCursor.print({ id: place.id })
    : openCursor.print({ at: new Date(place.at), person: place.person });
}

/** @throws bad_field if the text is not a cursor of this list */
export function readMemberPlace(text: string): ToldPlace {
  const { id } = shieldedCursor.read(text);
  if (/^shp_[0-9a-f]{32}$/.test(id)) return { shielded: true, id };
  const { at, person } = openCursor.read(text);
  return { shielded: false, at: at.getTime(), person };
}
