import { type Limits, sizeOf } from '@hearth/limits';
import type { Cursor } from './cursor.ts';

/** A caller's request for a page. */
export interface PageRequest {
  /** The maximum number of entries (default 20). */
  limit?: number | undefined;
  /** The previous page's next_cursor. */
  cursor?: string | undefined;
}

export interface PageSource<Row, Place> {
  cursor: Cursor<Place>;
  /** Returns at most `limit` rows after `after` in list order (null: from the beginning). */
  find(after: Place | null, limit: number): Promise<readonly Row[]>;
  placeOf(row: Row): Place;
}

export interface Page<Row> {
  rows: Row[];
  /** Undefined on the last page. */
  nextCursor: string | undefined;
}

const usualSize = 20;
/** A page ends at this size, whatever its limit: about 1 MiB of text. */
const mostBytes = 1_048_576;

/** The number of entries on a page: the requested limit (20 if missing or 0), bounded by the limit page_entries. */
export function pageSize(limits: Limits, limit: number | undefined): number {
  return Math.min(limit || usualSize, sizeOf(limits, 'page_entries'));
}

/** How many of the first rows fit on one page together; at least one, if there are any. */
export function fitting(rows: readonly unknown[]): number {
  let bytes = 0;
  const over = rows.findIndex((row, index) => {
    bytes += weightOf(row);
    return bytes > mostBytes && index > 0;
  });
  return over === -1 ? rows.length : over;
}

/** The bytes of a value's texts, which make up nearly all of a long answer. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 8;
  if (value instanceof Uint8Array) return value.length;
  let bytes = 0;
  for (const name in value) bytes += name.length + weightOf((value as Record<string, unknown>)[name]);
  return bytes;
}

/**
 * Reads a page: the requested number of rows, or fewer if they would be too large together. Reads one more row to see
 * whether another page follows. A page longer than usual is read in parts, sized by its first rows, so that few rows
 * are read in vain.
 *
 * @throws bad_field (cursor)
 */
export async function readPage<Row, Place>(
  { limits }: { limits: Limits },
  request: PageRequest,
  { cursor, find, placeOf }: PageSource<Row, Place>,
): Promise<Page<Row>> {
  const size = pageSize(limits, request.limit);
  const rows: Row[] = [];
  let bytes = 0;
  let after = request.cursor === undefined ? null : cursor.read(request.cursor);
  for (let part = Math.min(size, usualSize); ; ) {
    const found = await find(after, part + 1);
    for (const row of found.slice(0, part)) {
      bytes += weightOf(row);
      if (bytes > mostBytes && rows.length > 0) return { rows, nextCursor: endOf(rows) };
      rows.push(row);
    }
    if (found.length <= part) return { rows, nextCursor: undefined };
    if (rows.length === size) return { rows, nextCursor: endOf(rows) };
    after = placeOf(rows.at(-1)!);
    const fit = Math.floor((mostBytes - bytes) / (bytes / rows.length));
    part = Math.min(size - rows.length, Math.max(fit, 1));
  }

  function endOf(read: readonly Row[]): string {
    return cursor.print(placeOf(read.at(-1)!));
  }
}
