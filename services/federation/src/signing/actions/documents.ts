import { hash } from 'node:crypto';
import { day, minute } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import type { Host } from '@hearth/runtime';
import { digest, signRecord } from '@hearth/signing';
import {
  type DocumentRow,
  deleteDocumentsBefore,
  findLatestDocument,
  insertDocument,
  lockDocuments,
} from '../db/documents.ts';
import { contentOf, mustIssue, nextDocSeq, recoveredForMs, validForMs } from '../domain/renewal.ts';
import type { KeyRing, Keys } from './key-ring.ts';

/** The home's document: issued if missing, when its content changes, and before it expires. */
export interface Documents {
  /**
   * Returns the current document, issuing one if needed. A document younger than a minute is kept even if its
   * content changed.
   */
  current(): Promise<DocumentRow>;
  /** Called at startup, so that changed settings show at once. */
  issueChanges(): Promise<void>;
  /** Issues a document in the transaction that changes the keys. */
  issueIn(tx: Tx): Promise<void>;
  /** Returns the document that would be issued now, unsigned, for the operator to sign with the recovery key. */
  draft(): Promise<object>;
  /** Issues a document that the operator signed; null if it differs from what this home would issue now. */
  issueSigned(tx: Tx, signed: SignedDocument): Promise<DocumentRow | null>;
}

export type SignedDocument = Readonly<Record<string, unknown>>;

export interface Deps extends Pick<Host, 'clock' | 'database'> {
  keyRing: Pick<KeyRing, 'keys' | 'read'>;
  /** Returns the document without its number, times and signatures. */
  content(keys: Keys['listed']): object;
}

const keptMs = 30 * day;

export function createDocuments({ database, keyRing, clock, content }: Deps): Documents {
  /**
   * Returns the latest document if it is valid and up to date; otherwise issues one under a lock, with the
   * keys as stored.
   */
  async function upToDate(minAgeMs: number): Promise<DocumentRow> {
    const holds = (latest: DocumentRow | null, keys: Keys): latest is DocumentRow =>
      latest !== null && !mustIssue(latest, digest(content(keys.listed)), clock.now(), minAgeMs);

    const latest = await findLatestDocument(database.db);
    if (holds(latest, keyRing.keys)) return latest;
    return await database.transaction(async (tx) => {
      await lockDocuments(tx);
      const [present, keys] = [await findLatestDocument(tx), await keyRing.read(tx)];
      // Another replica may have issued it while this process waited for the lock.
      if (holds(present, keys)) return present;
      return await write(tx, sign(unsigned(present, keys, validForMs), keys));
    });
  }

  function unsigned(latest: DocumentRow | null, keys: Keys, holdsForMs: number): object {
    const now = clock.now();
    return {
      ...content(keys.listed),
      doc_seq: nextDocSeq(latest?.docSeq ?? 0, now),
      issued_at: new Date(now).toISOString(),
      valid_until: new Date(now + holdsForMs).toISOString(),
    };
  }

  const sign = (document: object, { active, revoked }: Keys): SignedDocument =>
    [...active, ...revoked].reduce(
      (signed, { pair }) => signRecord(signed, { key: pair, typ: 'svc-home+jws' }),
      document as SignedDocument,
    );

  async function write(tx: Tx, signed: SignedDocument): Promise<DocumentRow> {
    const json = JSON.stringify(signed);
    const issued = {
      docSeq: Number(signed['doc_seq']),
      contentDigest: digest(contentOf(signed)),
      json,
      etag: `"${hash('sha256', json, 'base64url')}"`,
      issuedAt: new Date(String(signed['issued_at'])),
      validUntil: new Date(String(signed['valid_until'])),
    };
    await insertDocument(tx, issued);
    await deleteDocumentsBefore(tx, new Date(clock.now() - keptMs));
    return issued;
  }

  return {
    current: () => upToDate(minute),
    issueChanges: async () => {
      await upToDate(0);
    },
    async issueIn(tx) {
      await lockDocuments(tx);
      const [latest, keys] = [await findLatestDocument(tx), await keyRing.read(tx)];
      await write(tx, sign(unsigned(latest, keys, validForMs), keys));
    },
    async draft() {
      const { db } = database;
      return unsigned(await findLatestDocument(db), await keyRing.read(db), recoveredForMs);
    },
    async issueSigned(tx, signed) {
      await lockDocuments(tx);
      const [latest, keys] = [await findLatestDocument(tx), await keyRing.read(tx)];
      const fits =
        digest(contentOf(signed)) === digest(content(keys.listed)) &&
        Number(signed['doc_seq']) > (latest?.docSeq ?? 0);
      return fits ? await write(tx, sign(signed, keys)) : null;
    },
  };
}
