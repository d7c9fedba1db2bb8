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

/** The home's document: issued when there is none, when its content changes, and before it runs out. */
export interface Documents {
  /** The document that holds now, issued first if need be. Content younger than a minute is left as it is. */
  current(): Promise<DocumentRow>;
  /** At the start: changed settings show at once. */
  issueChanges(): Promise<void>;
  /** With a change of keys, in its transaction. */
  issueIn(tx: Tx): Promise<void>;
  /** The document that would be issued now, unsigned, for the operator to sign with the recovery key. */
  draft(): Promise<object>;
  /** Issues what the operator signed; null when it is not, or not any more, what this home would say. */
  issueSigned(tx: Tx, signed: SignedDocument): Promise<DocumentRow | null>;
}

export type SignedDocument = Readonly<Record<string, unknown>>;

export interface Deps extends Pick<Host, 'clock' | 'database'> {
  keyRing: Pick<KeyRing, 'keys' | 'read'>;
  /** The document without its number, times and signatures. */
  content(keys: Keys['listed']): object;
}

const keptMs = 30 * day;

export function createDocuments({ database, keyRing, clock, content }: Deps): Documents {
  /** A document that holds is answered as it is; another is issued under a lock, of the keys as they are stored. */
  async function upToDate(minAgeMs: number): Promise<DocumentRow> {
    const holds = (latest: DocumentRow | null, keys: Keys): latest is DocumentRow =>
      latest !== null && !mustIssue(latest, digest(content(keys.listed)), clock.now(), minAgeMs);

    const latest = await findLatestDocument(database.db);
    if (holds(latest, keyRing.keys)) return latest;
    return await database.transaction(async (tx) => {
      await lockDocuments(tx);
      const [present, keys] = [await findLatestDocument(tx), await keyRing.read(tx)];
      // Another replica may have issued it while this one waited.
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
