import { type Clock, nowDate } from '@hearth/clock';
import { createCoalescer } from '@hearth/coalesce';
import type { Db } from '@hearth/db';
import { type AddressedAi, type AiRow, findAis, findLiveByAddress } from '../db/ais.ts';

/** A hot read: concurrent lookups share one statement. */
export interface AiLookup {
  /** The AI at a canonical address, current or old but still working, unless it was switched off. */
  at(address: string): Promise<AddressedAi | null>;
  /** The AI with this uuid, switched off or not. */
  find(id: string): Promise<AiRow | null>;
}

/** The most that FindAis accepts. */
const maxAsked = 500;

export function createAiLookup(db: Db, clock: Clock): AiLookup {
  const addresses = createCoalescer<string, AddressedAi | null>({
    name: 'batch of addresses',
    async run(asked) {
      const rows = await findLiveByAddress(db, [...new Set(asked)], nowDate(clock));
      const byAddress = new Map(rows.map((row) => [row.asked, row]));
      return asked.map((address) => byAddress.get(address) ?? null);
    },
  });
  const ids = createCoalescer<string, AiRow | null>({
    name: 'batch of AIs by id',
    maxBatch: maxAsked,
    async run(asked) {
      const rows = await findAis(db, [...new Set(asked)]);
      const byId = new Map(rows.map((row) => [row.id, row]));
      return asked.map((id) => byId.get(id) ?? null);
    },
  });
  return { at: (address) => addresses.add(address), find: (id) => ids.add(id) };
}
