import type { Bus } from '@hearth/bus';
import { type Clock, second } from '@hearth/clock';
import type { Database } from '@hearth/db';
import { LRUCache } from 'lru-cache';
import { blockedBy } from '../db/blocks.ts';

/** Whom those block whom nobody owns, remembered for a moment: that they are written to asks nobody else. */
export interface Blocks {
  /** Whether `owner` blocks one of these. */
  isBlocked(owner: string, senders: readonly string[]): Promise<boolean>;
  /** Lets every process look again. */
  forget(owner: string): void;
}

const signal = 'message_blocks';
const maxOwners = 50_000;
const maxBlocks = 10_000;
const keptMs = 30 * second;

export function createBlocks(options: {
  database: Database;
  bus: Pick<Bus, 'onSignal' | 'onReconnect' | 'signal'>;
  clock: Clock;
}): Blocks {
  const { database, bus, clock } = options;
  const known = new LRUCache<string, { targets: Set<string>; until: number }>({ max: maxOwners });
  /** Rises when anything is forgotten: an answer that was asked for before must not be kept. */
  let generation = 0;

  function drop(owner: string): void {
    generation += 1;
    if (owner === '') known.clear();
    else known.delete(owner);
  }
  bus.onSignal(signal, (payload) => drop(Buffer.from(payload).toString()));
  bus.onReconnect(() => drop(''));

  return {
    async isBlocked(owner, senders) {
      const entry = known.get(owner);
      if (entry !== undefined && entry.until > clock.now())
        return senders.some((sender) => entry.targets.has(sender));
      const asked = generation;
      const targets = new Set(await blockedBy(database.db, owner, maxBlocks));
      if (asked === generation) known.set(owner, { targets, until: clock.now() + keptMs });
      return senders.some((sender) => targets.has(sender));
    },
    forget(owner) {
      drop(owner);
      bus.signal(signal, Buffer.from(owner));
    },
  };
}
