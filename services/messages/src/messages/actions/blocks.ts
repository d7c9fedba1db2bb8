import type { Host } from '@hearth/runtime';
import { blockedBy } from '../../shared/db/blocks.ts';
import { createFactCache } from './fact-cache.ts';

/** The blocks of AIs without an owner: a message to such an AI asks no other service. */
export interface Blocks {
  /** Whether `owner` blocks one of these. */
  isBlocked(owner: string, senders: readonly string[]): Promise<boolean>;
}

const maxBlocks = 10_000;

export function createBlocks({ bus, clock, database }: Pick<Host, 'bus' | 'clock' | 'database'>): Blocks {
  const cache = createFactCache<{ owner: string; targets: Set<string> }>({
    bus,
    clock,
    signals: ['message_blocks'],
    max: 50_000,
    idOf: ({ owner }) => owner,
  });
  return {
    async isBlocked(owner, senders) {
      const blocks = await cache.find(owner, async () => ({
        owner,
        targets: new Set(await blockedBy(database.db, owner, maxBlocks)),
      }));
      return senders.some((sender) => blocks?.targets.has(sender));
    },
  };
}
