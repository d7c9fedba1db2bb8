import { type Db, lockName, named, sql, type Tx } from '@hearth/db';

export interface DocumentRow {
  docSeq: number;
  contentDigest: string;
  json: string;
  etag: string;
  issuedAt: Date;
  validUntil: Date;
}

/** Until the end of the transaction, no other process issues a document. */
export async function lockDocuments(tx: Tx): Promise<void> {
  await lockName(tx, 'federation.documents');
}

export async function findLatestDocument(db: Db): Promise<DocumentRow | null> {
  return await db.maybeOne<DocumentRow>(named('federation_find_latest_document')`
    select doc_seq as "docSeq", content_digest as "contentDigest", json, etag,
      issued_at as "issuedAt", valid_until as "validUntil"
    from federation.documents
    order by doc_seq desc
    limit 1`);
}

export async function insertDocument(tx: Tx, document: DocumentRow): Promise<void> {
  await tx.execute(sql`
    insert into federation.documents (doc_seq, content_digest, json, etag, issued_at, valid_until)
    values (${document.docSeq}, ${document.contentDigest}, ${document.json}, ${document.etag},
      ${document.issuedAt}, ${document.validUntil})`);
}

/** Deletes documents that expired before `before`, except the latest. */
export async function deleteDocumentsBefore(tx: Tx, before: Date): Promise<void> {
  await tx.execute(sql`
    delete from federation.documents
    where valid_until < ${before} and doc_seq < (select max(doc_seq) from federation.documents)`);
}
