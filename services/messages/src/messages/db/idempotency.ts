import type { Database, Db } from '@hearth/db';
import { type MessageRow, messageColumns } from '../../shared/db/message-row.ts';

export interface RequestKey {
  caller: string;
  operation: string;
  requestId: string;
}

/** The message that a request_id made before, with the digest of the request that made it. */
export function findRequest(db: Db, { caller, operation, requestId }: RequestKey) {
  return db.maybeOne<MessageRow & { digest: Buffer }>({
    name: 'messages_find_request',
    text: `
      select r.digest, ${messageColumns}
      from messages.requests r join messages.messages m on m.id = r.message
      where r.caller = $1 and r.operation = $2 and r.request_id = $3`,
    values: [caller, operation, requestId],
  });
}

/** Forgets the requests that were done before that moment. */
export async function purgeRequests(database: Database, before: Date): Promise<void> {
  await database.statement((tx) =>
    tx.execute({
      text: `delete from messages.requests where at < $1`,
      values: [before],
    }),
  );
}
