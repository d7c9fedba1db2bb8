import { createLru } from '@hearth/cache/lru';
import { minute } from '@hearth/clock';
import type { Context } from '../context.ts';
import { findNumberedIds } from '../db/sent-items.ts';
import type { Draft } from './item.ts';

/** Events may overtake each other where the bus was away: an item whose predecessor has no number yet waits for it. */
export interface InTurn {
  /** Those that can be numbered now, in their order, and whether others wait. */
  of(home: string, drafts: readonly Draft[]): Promise<{ ready: Draft[]; wait: boolean }>;
}

/** One that never comes, such as what was withdrawn, holds up the others for so long. */
const longestWaitMs = 2 * minute;
const mostWaiting = 10_000;

export function createInTurn({ clock, database }: Pick<Context, 'clock' | 'database'>): InTurn {
  /** Since when an event waits. */
  const since = createLru<number>(mostWaiting);
  return {
    async of(home, drafts) {
      // Ids of events rise with time.
      const inOrder = [...drafts].sort((one, other) => (one.event < other.event ? -1 : 1));
      const before = inOrder.flatMap(({ after }) => after ?? []);
      const numbered = before.length === 0 ? new Set() : await findNumberedIds(database.db, home, before);
      const ready = inOrder.filter(({ event, id, after }) => {
        const began = since.get(event) ?? clock.now();
        const late = after !== undefined && !numbered.has(after) && clock.now() - began < longestWaitMs;
        if (late) {
          since.set(event, began);
          return false;
        }
        since.delete(event);
        numbered.add(id);
        return true;
      });
      return { ready, wait: ready.length < inOrder.length };
    },
  };
}
