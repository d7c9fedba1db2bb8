import { timestampMs } from '@bufbuild/protobuf/wkt';
import { parseId } from '@hearth/ids';
import { eventType } from '@hearth/outbox';
import { EventSchema } from '@hearth/proto/events/v1/events';
import type { ReceivedEvent } from '@hearth/runtime';
import type { Context } from '../context.ts';
import { insertEvents } from '../db/events.ts';

/** These wake no topics, and federation logs them itself. */
const loggedElsewhere: readonly string[] = ['item_for_homes', 'home_item_settled', 'home_state_due'];

/** Every other event type is logged. */
export const loggedTypes = EventSchema.oneofs[0]!.fields.map((field) => field.name).filter(
  (name) => !loggedElsewhere.includes(name),
);

/** Writes events into the log, once each, and wakes their topics. */
export const onEvent =
  ({ commit, log, signalled }: Pick<Context, 'commit' | 'log' | 'signalled'>) =>
  async (events: ReceivedEvent[]): Promise<void> => {
    const rows = events.flatMap(({ event, bytes }) => {
      const id = parseId('evt', event.id);
      if (id !== null && event.at !== undefined) {
        const at = new Date(timestampMs(event.at));
        const encoded = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        return [{ id, at, type: eventType(event.data), event: encoded, topics: event.topics }];
      }
      log.error({ event: event.id }, 'an event without id or time was left out of the log');
      return [];
    });
    await commit.statement(async (tx) => {
      await insertEvents(tx, rows);
      const missed = rows.filter(({ id }) => !signalled.take(id));
      tx.wake(...missed.flatMap(({ topics }) => topics));
    });
  };
