import { type Db, named, raw, sql, type Tx } from '@hearth/db';

/** Identifies a repeated request. */
export interface IdempotencyKey {
  /** The caller, or the network of a caller without a credential. */
  scope: string;
  /** The operation's id: "create_group". */
  operation: string;
  requestId: string;
  /** SHA-256 of the request without its request_id. */
  digest: Buffer;
}

/** SQL for one table of idempotency keys. Each service that uses it creates the table in its migrations. */
export function createTable(name: string) {
  const table = raw(name);
  const prefix = name.replace('.', '_');

  return {
    /** The result stored under this key since `since`, or null. */
    async find<Result>(db: Db, { scope, operation, requestId }: IdempotencyKey, since: Date) {
      return await db.maybeOne<{ digest: Buffer; result: Result }>(named(`${prefix}_find`)`
        select digest, result from ${table}
        where scope = ${scope} and operation = ${operation} and request_id = ${requestId}
          and created_at > ${since}`);
    },

    /**
     * Stores `result` under the key; false if it was taken since `since`. Waits for a transaction that is taking it.
     */
    async claim(tx: Tx, key: IdempotencyKey, result: unknown, { since, now }: { since: Date; now: Date }) {
      const { scope, operation, requestId, digest } = key;
      const claimed = await tx.execute(named(`${prefix}_claim`)`
        insert into ${table} as r (scope, operation, request_id, digest, result, created_at)
        values (${scope}, ${operation}, ${requestId}, ${digest}, ${JSON.stringify(result)}, ${now})
        on conflict (scope, operation, request_id) do update
        set digest = excluded.digest, result = excluded.result, created_at = excluded.created_at
        where r.created_at <= ${since}`);
      return claimed === 1;
    },

    /** Deletes at most `limit` keys older than `before`; returns how many. */
    async deleteBefore(tx: Tx, before: Date, limit: number): Promise<number> {
      return await tx.execute(sql`
        delete from ${table}
        where (scope, operation, request_id) in (
          select scope, operation, request_id from ${table}
          where created_at <= ${before} limit ${limit} for update skip locked)`);
    },
  };
}
