import { hash } from 'node:crypto';
import { day, minute } from '@hearth/clock';
import type { Host } from '@hearth/runtime';
import { digest, signRecord } from '@hearth/signing';
import {
  type DocumentRow,
  deleteDocumentsBefore,
  findLatestDocument,
  insertDocument,
  lockDocuments,
} from '../db/documents.ts';
import { mustIssue, validForMs } from '../domain/renewal.ts';
import type { KeyRing } from './key-ring.ts';

/** The home's document: issued when there is none, when its content changes, and before it runs out. */
export interface Documents {
  /** The document that holds now, issued first if need be. Content younger than a minute is left as it is. */
  current(): Promise<DocumentRow>;
  /** At the start: changed settings show at once. */
  issueChanges(): Promise<void>;
}

export interface Deps extends Pick<Host, 'clock' | 'database'> {
  keyRing: Pick<KeyRing, 'active'>;
  /** The document without its number, times and signatures. */
  content(): object;
}

const keptMs = 30 * day;

export function createDocuments({ database, keyRing, clock, content }: Deps): Documents {
  async function upToDate(minAgeMs: number): Promise<DocumentRow> {
    const wanted = content();
    const contentDigest = digest(wanted);
    const holds = (latest: DocumentRow | null): latest is DocumentRow =>
      latest !== null && !mustIssue(latest, contentDigest, clock.now(), minAgeMs);

    const latest = await findLatestDocument(database.db);
    if (holds(latest)) return latest;
    return await database.transaction(async (tx) => {
      await lockDocuments(tx);
      // Another replica may have issued it while this one waited.
      const present = await findLatestDocument(tx);
      const nextSeq = (present?.docSeq ?? 0) + 1;
      if (holds(present)) return present;
      const issued = issue(wanted, contentDigest, nextSeq);
      await insertDocument(tx, issued);
      await deleteDocumentsBefore(tx, new Date(clock.now() - keptMs));
      return issued;
    });
  }

  function issue(wanted: object, contentDigest: string, docSeq: number): DocumentRow {
    const issuedAt = new Date(clock.now());
    const validUntil = new Date(issuedAt.getTime() + validForMs);
    const unsigned: object = {
      ...wanted,
      doc_seq: docSeq,
      issued_at: issuedAt.toISOString(),
      valid_until: validUntil.toISOString(),
    };
    const signed = keyRing.active.reduce(
      (document, { pair }) => signRecord(document, { key: pair, typ: 'svc-home+jws' }),
      unsigned,
    );
    const json = JSON.stringify(signed);
    return {
      docSeq,
      contentDigest,
      json,
      etag: `"${hash('sha256', json, 'base64url')}"`,
      issuedAt,
      validUntil,
    };
  }

  return {
    current: () => upToDate(minute),
    issueChanges: async () => {
      await upToDate(0);
    },
  };
}
