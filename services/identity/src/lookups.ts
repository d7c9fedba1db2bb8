import { createCoalescer } from '@hearth/coalesce';
import type { Db } from '@hearth/db';
import { type AddressedAi, findLiveByAddress } from './db/ais.ts';
import { type CredentialRow, findCredentials } from './db/keys.ts';

/** The hot reads: those that arrive while others are under way go together in one statement. */
export interface Lookups {
  /** The credential with this SHA-256, whether it still works or not; null for an unknown one. */
  credential(hash: Uint8Array): Promise<CredentialRow | null>;
  /** The AI behind a canonical address, if there is one that is not switched off. */
  aiAt(address: string): Promise<AddressedAi | null>;
}

export function createLookups(db: Db): Lookups {
  const credentials = createCoalescer<Buffer, CredentialRow | null>({
    name: 'batch of credentials',
    async run(hashes) {
      const rows = await findCredentials(db, hashes);
      const byHash = new Map(rows.map((row) => [row.hash.toString('base64'), row]));
      return hashes.map((hash) => byHash.get(hash.toString('base64')) ?? null);
    },
  });
  const ais = createCoalescer<string, AddressedAi | null>({
    name: 'batch of addresses',
    async run(addresses) {
      const rows = await findLiveByAddress(db, [...new Set(addresses)]);
      const byAddress = new Map(rows.map((row) => [row.asked, row]));
      return addresses.map((address) => byAddress.get(address) ?? null);
    },
  });
  return {
    credential: (hash) => credentials.add(Buffer.from(hash)),
    aiAt: (address) => ais.add(address),
  };
}
