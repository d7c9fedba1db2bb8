import { type Db, named, sql, type Tx } from '@hearth/db';

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
  return await db.maybeOne<KeptRecord>(
    named(
      'federation_find_record',
      sql`
        select id, type, json, receipt_hash as "receiptHash", viewers
        from federation.records where id = ${id}`,
    ),
  );
}

/** The record, for who has its receipt or is one of those whom it concerns. */
export async function findRecordFor(
  db: Db,
  id: string,
  by: { receiptHash: Buffer | null; viewers: readonly string[] },
): Promise<KeptRecord | null> {
  return await db.maybeOne<KeptRecord>(
    named(
      'federation_find_record_for',
      sql`
        select id, type, json, receipt_hash as "receiptHash", viewers
        from federation.records
        where id = ${id} and (receipt_hash = ${by.receiptHash} or viewers && ${by.viewers}::uuid[])`,
    ),
  );
}

/** False when a record of that id is kept already. */
export async function insertRecord(tx: Tx, record: KeptRecord, now: Date): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into federation.records (id, type, json, receipt_hash, viewers, created_at)
    values (${record.id}, ${record.type}, ${record.json}, ${record.receiptHash}, ${record.viewers}, ${now})
    on conflict (id) do nothing`);
  return inserted === 1;
}
