import type { ReceivedEvent } from '@hearth/runtime';
import { followChange } from '../actions/move-items.ts';
import { noteChanges } from '../actions/note-changes.ts';
import type { Context } from '../context.ts';
import { findBlocksAmong } from '../db/blocks.ts';
import { rowsOf } from '../domain/items.ts';
import { type Change, checksOf } from '../domain/moves.ts';

/**
 * Writes the items that other services placed and closed, in case their own call failed. Then checks the
 * placed items again: a holder may have changed since the source looked, and a sender may have been blocked.
 */
export const onItemsChanged = (context: Context) => ({
  durable: 'items',
  types: ['items_changed'],
  async handle(received: readonly ReceivedEvent[]) {
    const changes = received.flatMap(({ event: { data } }) =>
      data.case === 'itemsChanged' ? [data.value] : [],
    );
    await noteChanges(context, changes);
    const { placed } = rowsOf(changes);
    const blocks = await findBlocksAmong(context.database.db, placed);
    const checks = [...placed.flatMap(checksOf), ...blocks.map(blocked)];
    const distinct = new Map(checks.map((check) => [JSON.stringify(check), check]));
    for (const check of distinct.values()) await followChange(context, check);
  },
});

const blocked = (block: { person: string; sender: string }): Change => ({ what: 'blocked', ...block });
