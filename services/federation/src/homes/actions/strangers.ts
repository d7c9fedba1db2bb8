import { createLru } from '@hearth/cache/lru';
import { minute } from '@hearth/clock';
import type { Host } from '@hearth/runtime';
import { isStranger } from '../db/homes.ts';

export interface Strangers {
  /** Whether a home is a stranger: no one here ever sent it anything, and the operator did not decide about it. */
  isStranger(home: string): Promise<boolean>;
}

const keptMs = minute;
const mostHomes = 10_000;

/**
 * Caches for a minute that a home is no stranger; a stranger is looked up each time, because someone here may
 * just have written to it.
 */
export function createStrangers({ clock, database }: Pick<Host, 'clock' | 'database'>): Strangers {
  const known = createLru<number>(mostHomes);
  return {
    async isStranger(home) {
      if ((known.get(home) ?? 0) > clock.now()) return false;
      if (await isStranger(database.db, home)) return true;
      known.set(home, clock.now() + keptMs);
      return false;
    },
  };
}
