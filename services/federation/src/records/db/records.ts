import { type Db, named, type Tx } from '@hearth/db';

export interface KeptRecord {
  id: string;
  type: string;
  /** As it was signed. */
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

/** The record, for holders of its receipt and for those whom it concerns. */
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

/** Writes in one statement, and answers the uuids that were written; the others had a record already. */
export async function insertRecords(tx: Tx, records: readonly KeptRecord[], now: Date): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>({
    name: 'federation_insert_records',
    // Arrays of unequal length do not fit into one of two dimensions, so viewers come as JSON. The first stands in a subquery:
    // Postgres cannot count its elements then, and plans once in place of each time for so many.
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
