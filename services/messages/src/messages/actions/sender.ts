import { createCoalescer } from '@hearth/coalesce';
import type { Database } from '@hearth/db';
import { badRequest, type HearthError, internal } from '@hearth/errors';
import type { Outbox } from '@hearth/outbox';
import { insertMessages, type NewMessage } from '../../shared/db/insert-messages.ts';
import type { MessageRow } from '../../shared/db/message-row.ts';
import { findRequest } from '../db/idempotency.ts';

export interface SenderOptions {
  database: Database;
  outbox: Outbox;
}

/** The result of a send: written now, or by an earlier request with the same request_id. */
export interface Sent {
  row: MessageRow;
  repeated: boolean;
}

export interface Sender {
  /** @throws bad_request `request_id_reused` when the request_id was used with another body */
  send(message: NewMessage): Promise<Sent>;
}

/** Writes messages; those that arrive while a statement is in flight go together in the next one. */
export function createSender({ database, outbox }: SenderOptions): Sender {
  const writes = createCoalescer<NewMessage, boolean>({
    // A statement costs its own overhead whatever it carries: one at a time carries more.
    maxInFlight: 1,
    spacingMs: 2,
    // What Postgres does not take of one sender must not keep back the others.
    splitOnError: true,
    maxBatch: 200,
    name: 'batch of messages',
    run: async (batch) => {
      const written = await database.statement((tx) => insertMessages(tx, batch));
      outbox.committed(batch.flatMap(({ id, event }) => (event !== null && written.has(id) ? [event] : [])));
      return batch.map((message) => written.has(message.id));
    },
  });

  return {
    async send(message) {
      if (await writes.add(message)) return { row: toRow(message), repeated: false };
      return { row: await earlier(message), repeated: true };
    },
  };

  async function earlier({ sender, request }: NewMessage): Promise<MessageRow> {
    if (request === null) throw internal('a message without request_id was not written');
    const found = await findRequest(database.db, { caller: sender, ...request });
    if (found === null || !found.digest.equals(request.digest)) {
      throw requestIdReused();
    }
    return found;
  }
}

export function requestIdReused(): HearthError {
  return badRequest('this request_id was used before with another body; take a new one for a new request', {
    code: 'request_id_reused',
    field: 'request_id',
  });
}

function toRow(message: NewMessage): MessageRow {
  return {
    id: message.id,
    thread: message.thread,
    sender: message.sender,
    recipient: message.recipient,
    // The numbers are the database's own; nobody outside sees them.
    sender_seq: 0,
    recipient_seq: 0,
    sender_address: message.senderAddress,
    sender_name: message.senderName,
    sender_status: message.senderStatus,
    recipient_address: message.recipientAddress,
    title: message.title,
    body: message.body,
    data: message.data,
    reply_to: message.replyTo,
    request_kind: message.requestKind,
    via: message.via,
    box: message.box,
    at: message.at,
    read_at: null,
    retracted_at: null,
    holder: message.holder,
    counts_as: message.countsAs,
  };
}
