import { createCoalescer } from '@hearth/coalesce';
import type { Db } from '@hearth/db';
import { type AskedCredential, type CredentialRow, findCredentials } from '../db/credentials.ts';

/** A hot read: concurrent lookups share one statement. */
export interface CredentialLookup {
  /**
   * The credential with this SHA-256, valid or not; null if unknown.
   *
   * @param acting uuid of the person or AI that the calling app says it acts for
   */
  find(hash: Uint8Array, acting: string | null): Promise<CredentialRow | null>;
}

/** @param idleDays days after which an unused session ends */
export function createCredentialLookup(db: Db, idleDays: number): CredentialLookup {
  const batched = createCoalescer<AskedCredential, CredentialRow | null>({
    name: 'batch of credentials',
    async run(asked) {
      const rows = await findCredentials(db, asked, idleDays);
      const found = new Map(rows.map((row) => [row.kind === 'app' ? pairOf(row) : hashOf(row), row]));
      return asked.map((each) => found.get(hashOf(each)) ?? found.get(pairOf(each)) ?? null);
    },
  });
  return { find: (hash, acting) => batched.add({ hash: Buffer.from(hash), acting }) };
}

const hashOf = ({ hash }: AskedCredential) => hash.toString('base64');
const pairOf = (asked: AskedCredential) => `${hashOf(asked)} ${asked.acting ?? ''}`;
