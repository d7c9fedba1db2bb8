import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Database } from '@hearth/db';
import { parseId } from '@hearth/ids';
import { eventType } from '@hearth/outbox';
import { EventSchema } from '@hearth/proto/events/v1/events';
import type { Heard } from '@hearth/runtime';
import type { Logger } from '@hearth/telemetry';
import type { Signalled } from '../actions/signalled.ts';
import type { Watchers } from '../actions/watchers.ts';
import { insertEvents } from '../db/events.ts';

/** Everything that is announced goes into the log; a new type is added here with its source. */
export const heardTypes = EventSchema.oneofs[0]!.fields.map((field) => field.name);

export interface RecordContext {
  database: Database;
  log: Logger;
  watchers: Watchers;
  signalled: Signalled;
  /** Tells the other replicas, whose holders this process does not know. */
  wakeOthers(topics: string[]): void;
}

/** Writes what happened into the log, once however often it is heard, and wakes whoever waits for it. */
export async function recordEvents(context: RecordContext, heard: Heard[]): Promise<void> {
  const { database, log, watchers, signalled, wakeOthers } = context;
  const rows = heard.flatMap(({ event, bytes }) => {
    const id = parseId('evt', event.id);
    if (id !== null && event.at !== undefined) {
      const at = new Date(timestampMs(event.at));
      return [
        {
          id,
          at,
          type: eventType(event.data),
          event: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
          topics: event.topics,
        },
      ];
    }
    log.error({ event: event.id }, 'an event without id or time was left out of the log');
    return [];
  });
  await database.statement((tx) => insertEvents(tx, rows));
  const missed = rows.filter((row) => !signalled.take(row.id));
  if (missed.length === 0) return;
  const topics = [...new Set(missed.flatMap((row) => row.topics))];
  watchers.wake(topics);
  wakeOthers(topics);
}
