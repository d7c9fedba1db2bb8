import { createCoalescer } from '@hearth/coalesce';
import { internal } from '@hearth/errors';
import type { ItemNotes } from '@hearth/items';
import type { OutboxRow } from '@hearth/outbox';
import type { Host } from '@hearth/runtime';
import { insertMessages, type NewMessage, type WrittenMessage } from '../../shared/db/insert-messages.ts';
import type { MessageRow } from '../../shared/db/message-row.ts';
import { findSent } from '../db/idempotency.ts';
import { carriedOf } from '../domain/carried.ts';
import { checkSame } from '../domain/request-digest.ts';

/**
 * The result of a send: the message just written, or the one from an earlier request with the same
 * request_id.
 */
export interface Sent {
  row: MessageRow;
  repeated: boolean;
}

/** Writes messages; those that arrive while a statement is in flight share the next one. */
export interface Sender {
  /**
   * For a message that waits in requests, resolves once its item is noted too.
   *
   * @throws bad_request `request_id_reused` if the request_id was used with another body
   */
  send(message: NewMessage): Promise<Sent>;
}

export function createSender({
  clock,
  commit,
  database,
  items,
}: Pick<Host, 'clock' | 'commit' | 'database'> & { items: ItemNotes }): Sender {
  const writes = createCoalescer<NewMessage, boolean>({
    // Each statement has a fixed cost, so one at a time carries more messages.
    maxInFlight: 1,
    spacingMs: 2,
    // A message that Postgres rejects must not hold back the others.
    splitOnError: true,
    maxBatch: 200,
    name: 'batch of messages',
    run: async (batch) => {
      const at = clock.now();
      const written = await commit.statement(async (tx) => {
        const found = await insertMessages(tx, batch);
        tx.announced(batch.flatMap((message) => eventsOf(message, found.get(message.row.id), at)));
        return found;
      });
      return batch.map((message) => written.has(message.row.id));
    },
  });

  async function findEarlier({ row, request }: NewMessage): Promise<MessageRow> {
    if (!request) throw internal('a message without request_id was not written');
    const found = await findSent(database.db, row.sender, request);
    checkSame(request, found);
    return found;
  }

  return {
    async send(message) {
      const written = await writes.add(message);
      if (!written) return { row: await findEarlier(message), repeated: true };
      if (message.item !== undefined) await items.note({ placed: [message.item.item] });
      return { row: message.row, repeated: false };
    },
  };
}

/** @param at no later than the commit */
function eventsOf(message: NewMessage, written: WrittenMessage | undefined, at: number): OutboxRow[] {
  if (written === undefined) return [];
  const { event, item } = message;
  const carried = carriedOf(message, written, at);
  return [event && { ...event, carried }, item?.event].filter((row) => row !== undefined);
}
