import { createLru } from '@hearth/cache/lru';
import { minute } from '@hearth/clock';
import type { Context } from '../context.ts';
import { findNumberedIds } from '../db/sent-items.ts';
import type { Draft } from './item.ts';

/** Keeps items in order although events may overtake each other: an item waits until its predecessor has a number. */
export interface InTurn {
  /** Returns the items that can be numbered now, in order, and whether others still wait. */
  of(home: string, drafts: readonly Draft[]): Promise<{ ready: Draft[]; wait: boolean }>;
}

/** How long an item waits for a predecessor that never comes, such as a withdrawn one. */
const longestWaitMs = 2 * minute;
const mostWaiting = 10_000;

export function createInTurn({ clock, database }: Pick<Context, 'clock' | 'database'>): InTurn {
  /** Since when each event has waited. */
  const since = createLru<number>(mostWaiting);
  return {
    async of(home, drafts) {
      // Event ids are ordered by time.
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
