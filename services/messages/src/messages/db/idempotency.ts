import type { Db, Tx } from '@hearth/db';
import type { MessageRequest } from '../../shared/db/insert-messages.ts';
import { type MessageRow, messageColumns } from '../../shared/db/message-row.ts';

/** The message that the caller's request_id made before, with the digest of the request that made it. */
export function findSent(db: Db, caller: string, { operation, requestId }: MessageRequest) {
  return db.maybeOne<MessageRow & { digest: Buffer }>({
    name: 'messages_find_request',
    text: `
      select r.digest, ${messageColumns}
      from messages.requests r join messages.messages m on m.id = r.message
      where r.caller = $1 and r.operation = $2 and r.request_id = $3`,
    values: [caller, operation, requestId],
  });
}

/** Removes the keys of requests before that time, at most `limit`; how many. */
export async function deleteKeysBefore(tx: Tx, before: Date, limit: number): Promise<number> {
  return await tx.execute({
    text: `
      delete from messages.requests where (caller, operation, request_id) in (
        select caller, operation, request_id from messages.requests where at < $1
        limit $2 for update skip locked)`,
    values: [before, limit],
  });
}
