import { type Db, named, sql, type Tx } from '@hearth/db';

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

/** What was made of this request_id since `since`, or null. */
export async function findRequest<Result>(
  db: Db,
  { scope, operation, requestId }: RequestKey,
  since: Date,
): Promise<RequestRow<Result> | null> {
  return await db.maybeOne<RequestRow<Result>>(
    named(
      'identity_find_request',
      sql`
        select digest, result from identity.requests
        where scope = ${scope} and operation = ${operation} and request_id = ${requestId} and created_at > ${since}`,
    ),
  );
}

/**
 * Takes this request_id for `row`; false when it was taken since `since`. Waits for whoever is taking it at
 * the same time.
 */
export async function claimRequest<Result>(
  tx: Tx,
  { scope, operation, requestId }: RequestKey,
  row: RequestRow<Result>,
  { since, now }: { since: Date; now: Date },
): Promise<boolean> {
  const claimed = await tx.execute(
    named(
      'identity_claim_request',
      sql`
        insert into identity.requests as r (scope, operation, request_id, digest, result, created_at)
        values (${scope}, ${operation}, ${requestId}, ${row.digest}, ${JSON.stringify(row.result)}, ${now})
        on conflict (scope, operation, request_id) do update
        set digest = excluded.digest, result = excluded.result, created_at = excluded.created_at
        where r.created_at <= ${since}`,
    ),
  );
  return claimed === 1;
}

/** Removes requests of before `moment`, at most `limit`; how many. */
export async function deleteRequestsBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  return await tx.execute(sql`
    delete from identity.requests
    where (scope, operation, request_id) in (
      select scope, operation, request_id from identity.requests
      where created_at <= ${moment} limit ${limit} for update skip locked)`);
}
