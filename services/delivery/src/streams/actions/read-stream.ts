import type { Db } from '@hearth/db';
import type { WakeUpFilter } from '../../shared/actions/filter.ts';
import type { StreamPlace } from '../../shared/domain/cursor.ts';
import type { StreamRow } from '../db/streams.ts';
import { isOlder, keptMs, listWakeUps, type WakeUpRow } from '../db/wake-ups.ts';

export interface StreamQuestion extends WakeUpFilter {
  place: StreamPlace;
  now: Date;
  /** Nothing older is answered; null: nothing is too old. */
  maxAgeMs: number | null;
  limit: number;
}

export interface StreamAnswer {
  /** Oldest first. */
  rows: WakeUpRow[];
  /** Where to go on. */
  next: StreamPlace;
  /** There is more, or it was not looked through to its end. */
  hasMore: boolean;
  /** Something that came after the place is not answered: it is kept no more, was not recorded, or is too old. */
  truncated: boolean;
}

/** What is in a stream after a place, as the stream was when `stream` was read. */
export async function readStream(
  db: Db,
  stream: StreamRow,
  { place, now, maxAgeMs, limit, ...filter }: StreamQuestion,
): Promise<StreamAnswer> {
  const { ai, last_number: last } = stream;
  const kept = now.getTime() - keptMs;
  const missed = place.number < stream.whole_number || (place.number < last && place.at.getTime() < kept);
  const after = Math.min(Math.max(place.number, stream.floor_number), last);
  if (after === last) return { rows: [], next: { number: last, at: now }, hasMore: false, truncated: missed };
  const since = new Date(Math.max(kept, maxAgeMs === null ? kept : now.getTime() - maxAgeMs));
  const asked = { ai, after, upTo: last, since, ...filter };
  const { rows, scannedTo } = await listWakeUps(db, { ...asked, limit: limit + 1 });
  const truncated = missed || (maxAgeMs !== null && (await isOlder(db, asked)));
  if (rows.length <= limit) {
    const next = { number: scannedTo, at: now };
    return { rows, next, hasMore: scannedTo < last, truncated };
  }
  const shown = rows.slice(0, limit);
  return { rows: shown, next: { number: shown.at(-1)!.number, at: now }, hasMore: true, truncated };
}
