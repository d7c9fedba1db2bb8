import { type Clock, nowDate } from '@hearth/clock';
import { createCoalescer } from '@hearth/coalesce';
import type { Db } from '@hearth/db';
import { type AddressedAi, findLiveByAddress } from '../db/ais.ts';

/** A hot read: look-ups that arrive while others are under way go together in one statement. */
export interface AiLookup {
  /** The AI behind a canonical address, the present or an old one that still leads on, if it is not switched off. */
  at(address: string): Promise<AddressedAi | null>;
}

export function createAiLookup(db: Db, clock: Clock): AiLookup {
  const batched = createCoalescer<string, AddressedAi | null>({
    name: 'batch of addresses',
    async run(addresses) {
      const rows = await findLiveByAddress(db, [...new Set(addresses)], nowDate(clock));
      const byAddress = new Map(rows.map((row) => [row.asked, row]));
      return addresses.map((address) => byAddress.get(address) ?? null);
    },
  });
  return { at: (address) => batched.add(address) };
}
