/** Something in a list that is in order of time, the newest first. */
export interface Placed {
  at: Date;
  /** uuid */
  id: string;
}

export function newestFirst(one: Placed, other: Placed): number {
  return other.at.getTime() - one.at.getTime() || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0);
}

/**
 * The first `limit` of several lists, each of which was asked for one more than that; `more` when there are others behind
 * them.
 */
export function mergePages<Entry extends Placed>(
  lists: readonly (readonly Entry[])[],
  limit: number,
): { shown: Entry[]; more: boolean } {
  const all = lists.flat().sort(newestFirst);
  return { shown: all.slice(0, limit), more: all.length > limit };
}
