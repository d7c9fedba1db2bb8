import { type Cursor, cursorOf } from './cursor.ts';

/** The position after which a page continues. */
export interface PagePosition {
  at: Date;
  id: string;
}

export const placeCursor: Cursor<PagePosition> = cursorOf({ at: 'time', id: 'uuid' });

/**
 * Values for `(at, id) < ($1, $2)`; the first page starts after all moments. With a condition such as `$1 is null
 * or ...`, a prepared statement would read the index from its beginning for every page.
 */
export function placeValues(after: PagePosition | null): [at: Date | string, id: string] {
  return after === null ? ['infinity', '00000000-0000-0000-0000-000000000000'] : [after.at, after.id];
}

/** One more than the usual page size. */
const usual = 21;

/**
 * A literal LIMIT from a few values. For a parameter, Postgres would assume a tenth of the table and plan each time
 * anew.
 */
export function mostOf(limit: number): number {
  return limit <= usual ? usual : Math.ceil((limit - 1) / 100) * 100 + 1;
}

/** Merges lists that are newest first; returns at most `limit` entries. */
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
