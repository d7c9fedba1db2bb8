import type { Db, Tx } from '@hearth/db';

export interface RequestKey {
  /** The caller, or the network of a caller without a credential. */
  scope: string;
  operation: string;
  requestId: string;
}

export interface RequestRow<Result> {
  /** SHA-256 of what was asked for. */
  digest: Buffer;
  result: Result;
}

/** The SQL of one schema's table of requests; a service that remembers request_ids has it in its migrations. */
export function createRequestsTable(schema: string, tableName: string) {
  const table = `${schema}.${tableName}`;
  const name = (statement: string) => `${schema}_${tableName}_${statement}`;

  return {
    /** What was made of this request_id since `since`, or null. */
    async find<Result>(
      db: Db,
      { scope, operation, requestId }: RequestKey,
      since: Date,
    ): Promise<RequestRow<Result> | null> {
      return await db.maybeOne<RequestRow<Result>>({
        name: name('find'),
        text: `
          select digest, result from ${table}
          where scope = $1 and operation = $2 and request_id = $3 and created_at > $4`,
        values: [scope, operation, requestId, since],
      });
    },

    /**
     * Takes this request_id for `row`; false when it was taken since `since`. Waits for whoever is taking it at
     * the same time.
     */
    async claim<Result>(
      tx: Tx,
      { scope, operation, requestId }: RequestKey,
      row: RequestRow<Result>,
      { since, now }: { since: Date; now: Date },
    ): Promise<boolean> {
      const claimed = await tx.execute({
        name: name('claim'),
        text: `
          insert into ${table} as r (scope, operation, request_id, digest, result, created_at)
          values ($1, $2, $3, $4, $5, $6)
          on conflict (scope, operation, request_id) do update
          set digest = excluded.digest, result = excluded.result, created_at = excluded.created_at
          where r.created_at <= $7`,
        values: [scope, operation, requestId, row.digest, JSON.stringify(row.result), now, since],
      });
      return claimed === 1;
    },

    /** Removes requests of before `moment`, at most `limit`; how many. */
    async deleteBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
      return await tx.execute({
        text: `
          delete from ${table}
          where (scope, operation, request_id) in (
            select scope, operation, request_id from ${table}
            where created_at <= $1 limit $2 for update skip locked)`,
        values: [moment, limit],
      });
    },
  };
}
