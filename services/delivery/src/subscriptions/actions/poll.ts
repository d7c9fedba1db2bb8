import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { badField } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { PollEventsResponseSchema } from '@hearth/proto/delivery/v1/subscriptions';
import type { Call } from '@hearth/rpc';
import type { Context, StreamAnswer } from '../context.ts';
import { printCursor, readCursor } from '../domain/cursor.ts';
import { nextPollMs } from '../domain/next-poll.ts';
import { readFilter } from './filter.ts';
import { findWoken } from './find-woken.ts';
import { recordPoll } from './metrics.ts';

export interface PollQuestion {
  id: string;
  name?: string | undefined;
  group?: string | undefined;
  cursor?: string | undefined;
  maxAgeMs?: bigint | undefined;
  limit: number;
}

export interface Polled {
  /** uuid */
  ai: string;
  /** Whether there are no wake-ups, and none were missed. */
  nothing: boolean;
  answer: MessageInitShape<typeof PollEventsResponseSchema>;
}

/** Returns the wake-ups of an AI since a cursor; without one only the cursor to start from. */
export async function poll(
  context: Context,
  { id, name, group, cursor, maxAgeMs, limit }: PollQuestion,
  call: Call,
): Promise<Polled> {
  const filter = readFilter({ name, group });
  const woken = await findWoken(context, id, call);
  const place = cursor === undefined ? null : readCursor(woken.ai, cursor);
  if (cursor !== undefined && place === null)
    throw badField(
      'cursor',
      'must be the cursor of an earlier answer to this AI, as it was given; without it you begin now',
    );
  const stream = await context.streams.prepare(woken);
  const now = new Date(context.clock.now());
  const read = await context.streams.read(stream, {
    ...filter,
    place: place ?? { number: stream.last_number, at: now },
    now,
    maxAgeMs: maxAgeMs === undefined ? null : Number(maxAgeMs),
    limit,
  });
  recordPoll({ outcome: place === null ? 'first' : outcomeOf(read) });
  const { rows, next, hasMore, truncated } = read;
  return {
    ai: woken.ai,
    nothing: rows.length === 0 && !hasMore && !truncated,
    answer: {
      events: rows.map(({ id, name, at, data }) => ({
        eventId: printId('evt', id),
        name,
        timestamp: timestampFromDate(at),
        data: data as JsonObject,
      })),
      cursor: printCursor(woken.ai, next),
      nextPollMs: nextPollMs(stream, now.getTime()),
      hasMore,
      truncated,
    },
  };
}

function outcomeOf({ rows, truncated }: StreamAnswer) {
  if (truncated) return 'truncated';
  return rows.length === 0 ? 'nothing' : 'found';
}
