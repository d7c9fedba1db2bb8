import type { Place } from '../../shared/db/place.ts';

/** An item of a list that is in order of time, the newest first. */
export type Placed = Place;

export function newestFirst(one: Placed, other: Placed): number {
  return other.at.getTime() - one.at.getTime() || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0);
}

/**
 * The first `limit` items of several lists, each of which holds one more than that; `more` when others follow.
 */
export function mergePages<Entry extends Placed>(
  lists: readonly (readonly Entry[])[],
  limit: number,
): { shown: Entry[]; more: boolean } {
  const all = lists.flat().sort(newestFirst);
  return { shown: all.slice(0, limit), more: all.length > limit };
}
