import { type Clock, nowDate } from '@hearth/clock';
import { createCoalescer } from '@hearth/coalesce';
import type { Db } from '@hearth/db';
import { type AddressedAi, findLiveByAddress } from '../../shared/db/ais.ts';
import { type AskedCredential, type CredentialRow, findCredentials } from '../db/credentials.ts';

/** The hot reads: those that arrive while others are under way go together in one statement. */
export interface Lookups {
  /**
   * The credential with this SHA-256, whether it still works or not; null for an unknown one.
   *
   * @param acting uuid of the person or AI that the caller, an app, says it acts for
   */
  credential(hash: Uint8Array, acting: string | null): Promise<CredentialRow | null>;
  /** The AI behind a canonical address, the present or an old one that still leads on, if it is not switched off. */
  aiAt(address: string): Promise<AddressedAi | null>;
}

export function createLookups(db: Db, clock: Clock): Lookups {
  const credentials = createCoalescer<AskedCredential, CredentialRow | null>({
    name: 'batch of credentials',
    async run(asked) {
      const rows = await findCredentials(db, asked);
      const found = new Map(rows.map((row) => [row.kind === 'app' ? pairOf(row) : hashOf(row), row]));
      return asked.map((each) => found.get(hashOf(each)) ?? found.get(pairOf(each)) ?? null);
    },
  });
  const ais = createCoalescer<string, AddressedAi | null>({
    name: 'batch of addresses',
    async run(addresses) {
      const rows = await findLiveByAddress(db, [...new Set(addresses)], nowDate(clock));
      const byAddress = new Map(rows.map((row) => [row.asked, row]));
      return addresses.map((address) => byAddress.get(address) ?? null);
    },
  });
  return {
    credential: (hash, acting) => credentials.add({ hash: Buffer.from(hash), acting }),
    aiAt: (address) => ais.add(address),
  };
}

const hashOf = ({ hash }: AskedCredential) => hash.toString('base64');

const pairOf = (asked: AskedCredential) => `${hashOf(asked)} ${asked.acting ?? ''}`;
