import { createLru } from '@hearth/cache/lru';
import { minute } from '@hearth/clock';
import type { Host } from '@hearth/runtime';
import { isStranger } from '../db/homes.ts';

export interface Strangers {
  /** Whether no party here deals with that home: nothing of this home's people was sent there, and the operator said nothing of it. */
  isStranger(home: string): Promise<boolean>;
}

const keptMs = minute;
const mostHomes = 10_000;

/** A home that is none is remembered for a minute; a stranger is looked for again each time, for this home may just have written there. */
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
