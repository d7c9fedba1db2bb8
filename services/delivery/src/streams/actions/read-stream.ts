import type { Db } from '@hearth/db';
import { fitting } from '@hearth/paging';
import type { RecordedWakeUp, StreamPlace } from '../../shared/domain/streams.ts';
import { findStreams, type StreamRow } from '../db/streams.ts';
import { isOlder, keptMs, listNewestWakeUps, listWakeUps, type WakeUpRow } from '../db/wake-ups.ts';

export interface StreamQuestion {
  /** Null for every kind. */
  name: string | null;
  /** uuid; null for all. */
  group: string | null;
  place: StreamPlace;
  now: Date;
  /** Older wake-ups are left out; null for no limit. */
  maxAgeMs: number | null;
  limit: number;
}

export interface StreamAnswer {
  /** Oldest first. */
  rows: WakeUpRow[];
  /** The position to continue from. */
  next: StreamPlace;
  /** Whether there may be more: the limit was reached, or the scan stopped early. */
  hasMore: boolean;
  /** Whether wake-ups after the position are missing: purged, not recorded, or too old. */
  truncated: boolean;
}

/** Returns a page of a stream after a position, as of the time when `stream` was read. */
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
  const shown = rows.slice(0, Math.min(limit, fitting(rows)));
  if (shown.length === rows.length) {
    const next = { number: scannedTo, at: now };
    return { rows, next, hasMore: scannedTo < last, truncated };
  }
  return { rows: shown, next: { number: shown.at(-1)!.number, at: now }, hasMore: true, truncated };
}

export interface AfterQuestion extends Pick<StreamQuestion, 'group' | 'place' | 'limit'> {
  ai: string;
  name: string;
  /** Older wake-ups are left out; null for no limit. */
  since: Date | null;
}

/**
 * Returns the newest `limit` wake-ups of a stream after a position, oldest first; `truncated` if earlier ones
 * after the position were purged, are older than `since`, or exceed the limit.
 */
export async function readAfter(
  db: Db,
  now: number,
  { ai, name, group, place, since, limit }: AfterQuestion,
): Promise<{ wakeUps: RecordedWakeUp[]; truncated: boolean }> {
  const [stream] = await findStreams(db, [ai]);
  if (stream === undefined) return { wakeUps: [], truncated: true };
  const { last_number: last, floor_number: floor, whole_number: whole } = stream;
  const kept = now - keptMs;
  const oldest = new Date(Math.max(kept, since?.getTime() ?? kept));
  const after = Math.min(Math.max(place.number, floor), last);
  const asked = { ai, name, group, after, upTo: last, since: oldest };
  const rows = await listNewestWakeUps(db, { ...asked, limit: limit + 1 });
  const missed = place.number < whole || (place.number < last && place.at.getTime() < kept);
  return {
    wakeUps: rows.slice(-limit).map(({ id: eventId, ...row }) => ({ ...row, eventId })),
    truncated: missed || rows.length > limit || (since !== null && (await isOlder(db, asked))),
  };
}
