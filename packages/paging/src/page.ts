import { type Limits, sizeOf } from '@hearth/limits';
import type { Cursor } from './cursor.ts';

/** How a caller asks for a page. */
export interface PageRequest {
  /** The most entries; 20 when not given. */
  limit?: number | undefined;
  /** The next_cursor of the page before. */
  cursor?: string | undefined;
}

export interface PageSource<Row, Place> {
  cursor: Cursor<Place>;
  /** The rows behind `after` in the order of the list (null: from its beginning), at most `limit`. */
  find(after: Place | null, limit: number): Promise<readonly Row[]>;
  placeOf(row: Row): Place;
}

export interface Page<Row> {
  rows: Row[];
  /** Undefined on the last page. */
  nextCursor: string | undefined;
}

const usualSize = 20;
/** Beyond this a page ends, whatever number of entries was asked for: about 1 MiB of text. */
const mostBytes = 1_048_576;

/** How many entries a page has: as many as the caller asks for (20 when not said, or 0), bounded by the limit page_entries. */
export function pageSize(limits: Limits, limit: number | undefined): number {
  return Math.min(limit || usualSize, sizeOf(limits, 'page_entries'));
}

/** How many of the rows, from the first, are short enough together for one page: at least one, where there is any. */
export function fitting(rows: readonly unknown[]): number {
  let bytes = 0;
  const over = rows.findIndex((row, index) => {
    bytes += weightOf(row);
    return bytes > mostBytes && index > 0;
  });
  return over === -1 ? rows.length : over;
}

/** The bytes of a value's texts, which are nearly all of a long answer. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 8;
  if (value instanceof Uint8Array) return value.length;
  let bytes = 0;
  for (const name in value) bytes += name.length + weightOf((value as Record<string, unknown>)[name]);
  return bytes;
}

/**
 * One page of a list: as many rows as asked for, and no more than are short enough together. One row more is read to know
 * whether another page follows. A longer page than the usual one is read in parts, as long as its first rows say, so that
 * little is read that does not fit.
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
