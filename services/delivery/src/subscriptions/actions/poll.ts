import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { badField } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { PollEventsResponseSchema } from '@hearth/proto/delivery/v1/subscriptions';
import type { Call } from '@hearth/rpc';
import { readFilter } from '../../shared/actions/filter.ts';
import { findWoken } from '../../shared/actions/find-woken.ts';
import { printCursor, readCursor } from '../../shared/domain/cursor.ts';
import { recordPoll } from '../../streams/actions/metrics.ts';
import { readStream, type StreamAnswer } from '../../streams/actions/read-stream.ts';
import type { StreamRow } from '../../streams/db/streams.ts';
import { nextPollMs } from '../domain/next-poll.ts';
import type { EventsContext } from '../poll-context.ts';

export interface PollQuestion {
  id: string;
  name?: string | undefined;
  group?: string | undefined;
  cursor?: string | undefined;
  maxAgeMs?: bigint | undefined;
  limit: number;
}

export interface Polled {
  stream: StreamRow;
  answer: StreamAnswer;
  now: Date;
  /** Without a cursor: only where to begin is answered. */
  first: boolean;
}

/** What an AI is woken for since a cursor; without one nothing but where to begin. */
export async function poll(
  { clock, database, identity, streams }: EventsContext,
  { id, name, group, cursor, maxAgeMs, limit }: PollQuestion,
  call: Call,
): Promise<Polled> {
  const filter = readFilter({ name, group });
  const woken = await findWoken(identity.ais, id, call);
  const place = cursor === undefined ? null : readCursor(woken.ai, cursor);
  if (cursor !== undefined && place === null)
    throw badField(
      'cursor',
      'must be the cursor of an earlier answer to this AI, as it was given; without it you begin now',
    );
  const stream = await streams.prepare(woken);
  const now = new Date(clock.now());
  const answer = await readStream(database.db, stream, {
    ...filter,
    place: place ?? { number: stream.last_number, at: now },
    now,
    maxAgeMs: maxAgeMs === undefined ? null : Number(maxAgeMs),
    limit,
  });
  recordPoll({ outcome: place === null ? 'first' : outcomeOf(answer) });
  return { stream, answer, now, first: place === null };
}

function outcomeOf({ rows, truncated }: StreamAnswer) {
  if (truncated) return 'truncated';
  return rows.length === 0 ? 'nothing' : 'found';
}

export function toAnswer({
  stream,
  answer: { rows, next, hasMore, truncated },
  now,
}: Polled): MessageInitShape<typeof PollEventsResponseSchema> {
  return {
    events: rows.map(({ id, name, at, data }) => ({
      eventId: printId('evt', id),
      name,
      timestamp: timestampFromDate(at),
      data: data as JsonObject,
    })),
    cursor: printCursor(stream.ai, next),
    nextPollMs: nextPollMs(stream, now.getTime()),
    hasMore,
    truncated,
  };
}
