import { printCursor, readCursor } from '../../shared/domain/cursor.ts';
import type { NeededStreams } from '../../subscriptions/domain/needed-streams.ts';
import { findStreams } from '../db/streams.ts';
import { isOlder, keptMs, listNewestWakeUps } from '../db/wake-ups.ts';
import type { Streams } from './streams.ts';

/** The streams as subscriptions use them. */
export function streamsForSubscriptions(
  streams: Pick<Streams, 'hold'>,
  clock: { now(): number },
): NeededStreams {
  return {
    async hold(tx, asked) {
      const { last_number: last, floor_number: floor } = await streams.hold(tx, asked);
      return { last, floor };
    },
    async after(tx, { ai, name, group, place, since, limit }) {
      const [stream] = await findStreams(tx, [ai]);
      if (stream === undefined) return { wakeUps: [], truncated: true };
      const { last_number: last, floor_number: floor, whole_number: whole } = stream;
      const kept = clock.now() - keptMs;
      const oldest = new Date(Math.max(kept, since?.getTime() ?? kept));
      const after = Math.min(Math.max(place.number, floor), last);
      const asked = { ai, name, group, after, upTo: last, since: oldest };
      const rows = await listNewestWakeUps(tx, { ...asked, limit: limit + 1 });
      const missed = place.number < whole || (place.number < last && place.at.getTime() < kept);
      return {
        wakeUps: rows.slice(-limit).map(({ id: eventId, ...row }) => ({ ...row, eventId })),
        truncated: missed || rows.length > limit || (since !== null && (await isOlder(tx, asked))),
      };
    },
    encodeCursor: printCursor,
    decodeCursor: readCursor,
  };
}
