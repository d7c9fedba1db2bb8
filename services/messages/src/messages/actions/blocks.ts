import { createFactCache } from '@hearth/cache/facts';
import { second } from '@hearth/clock';
import type { Host } from '@hearth/runtime';
import { blockedBy } from '../db/blocks.ts';

/** Blocks by AIs without an owner, cached so that a message to such an AI calls no other service. */
export interface Blocks {
  /** Whether `owner` blocks any of `senders`. */
  isBlocked(owner: string, senders: readonly string[]): Promise<boolean>;
}

const maxBlocks = 10_000;

export function createBlocks({ bus, clock, database }: Pick<Host, 'bus' | 'clock' | 'database'>): Blocks {
  const cache = createFactCache<Set<string>>({
    bus,
    clock,
    signals: ['message_blocks'],
    max: 50_000,
    keptMs: 30 * second,
  });
  return {
    async isBlocked(owner, senders) {
      const targets = await cache.find(
        owner,
        async () => new Set(await blockedBy(database.db, owner, maxBlocks)),
      );
      return senders.some((sender) => targets?.has(sender));
    },
  };
}
