import { type Db, named, type Tx } from '@hearth/db';

export interface KeptRecord {
  id: string;
  type: string;
  /** As signed. */
  json: string;
  receiptHash: Buffer;
  /** uuids */
  viewers: string[];
}

export async function findRecord(db: Db, id: string): Promise<KeptRecord | null> {
  return await db.maybeOne<KeptRecord>(named('federation_find_record')`
    select id, type, json, receipt_hash as "receiptHash", viewers
    from federation.records where id = ${id}`);
}

/** Returns a record to holders of its receipt, and to the parties that it concerns. */
export async function findRecordFor(
  db: Db,
  id: string,
  by: { receiptHash: Buffer | null; viewers: readonly string[] },
): Promise<KeptRecord | null> {
  return await db.maybeOne<KeptRecord>(named('federation_find_record_for')`
    select id, type, json, receipt_hash as "receiptHash", viewers
    from federation.records
    where id = ${id} and (receipt_hash = ${by.receiptHash} or viewers && ${by.viewers}::uuid[])`);
}

/** Inserts records in one statement; returns the uuids that were new. */
export async function insertRecords(tx: Tx, records: readonly KeptRecord[], now: Date): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>({
    name: 'federation_insert_records',
    // Arrays of unequal length do not form a two-dimensional array, so viewers are passed as JSON. The first
    // array is in a subquery: Postgres cannot see its length then, and makes one generic plan instead of one
    // per length.
    text: `
      insert into federation.records (id, type, json, receipt_hash, viewers, created_at)
      select id, type, json, receipt_hash, array(select json_array_elements_text(viewers)::uuid), $6
      from unnest((select $1::uuid[]), $2::text[], $3::text[], $4::bytea[], $5::json[])
        as r (id, type, json, receipt_hash, viewers)
      order by id
      on conflict (id) do nothing returning id`,
    values: [
      records.map(({ id }) => id),
      records.map(({ type }) => type),
      records.map(({ json }) => json),
      records.map(({ receiptHash }) => receiptHash),
      records.map(({ viewers }) => JSON.stringify(viewers)),
      now,
    ],
  });
  return new Set(rows.map(({ id }) => id));
}
