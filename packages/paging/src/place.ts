import { type Cursor, cursorOf } from './cursor.ts';

/** The place in a list after which a page goes on. */
export interface PagePosition {
  at: Date;
  id: string;
}

export const placeCursor: Cursor<PagePosition> = cursorOf({ at: 'time', id: 'uuid' });

/**
 * Two values for `(at, id) < ($1, $2)`; the first page begins after all moments. A condition such as `$1 is null
 * or ...` would make a prepared statement read an index from its beginning, however far the page is.
 */
export function placeValues(after: PagePosition | null): [at: Date | string, id: string] {
  return after === null ? ['infinity', '00000000-0000-0000-0000-000000000000'] : [after.at, after.id];
}

/** One more than the usual page holds. */
const usual = 21;

/**
 * The rows that a statement reads: a literal, and one of few. For a parameter Postgres expects a tenth of the table, and
 * plans anew each time.
 */
export function mostOf(limit: number): number {
  return limit <= usual ? usual : Math.ceil((limit - 1) / 100) * 100 + 1;
}

/** Lists with the newest first as one of at most so many. */
export function newestOf<One>(
  placeOf: (item: One) => PagePosition,
  limit: number,
  ...lists: readonly (readonly One[])[]
): One[] {
  return lists
    .flat()
    .map((item) => ({ item, place: placeOf(item) }))
    .sort((a, b) => b.place.at.getTime() - a.place.at.getTime() || (a.place.id < b.place.id ? 1 : -1))
    .slice(0, limit)
    .map(({ item }) => item);
}
