import { type Db, named, sql, type Tx } from '@hearth/db';
import type { MessageRequest } from '../../shared/db/insert-messages.ts';
import { type MessageRow, messageColumns } from '../../shared/db/message-row.ts';

/** The message that this request_id created before, with the digest of the request. */
export function findSent(db: Db, caller: string, { operation, requestId }: MessageRequest) {
  return db.maybeOne<MessageRow & { digest: Buffer }>(named('messages_find_request')`
    select r.digest, ${messageColumns}
    from messages.requests r join messages.messages m on m.id = r.message
    where r.caller = ${caller} and r.operation = ${operation} and r.request_id = ${requestId}`);
}

/** Deletes at most `limit` keys of requests before the given time. Returns the count. */
export async function deleteKeysBefore(tx: Tx, before: Date, limit: number): Promise<number> {
  return await tx.execute(sql`
    delete from messages.requests where (caller, operation, request_id) in (
      select caller, operation, request_id from messages.requests where at < ${before}
      limit ${limit} for update skip locked)`);
}
