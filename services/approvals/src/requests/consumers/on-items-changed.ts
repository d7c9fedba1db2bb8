import type { ReceivedEvent } from '@hearth/runtime';
import { followChange } from '../actions/move-items.ts';
import { noteChanges } from '../actions/note-changes.ts';
import type { Context } from '../context.ts';
import { rowsOf } from '../domain/items.ts';
import { checksOf } from '../domain/moves.ts';

/**
 * Writes what the sources of other services placed and closed, also where they could not note it themselves. The holder of an
 * item may have changed since its source looked.
 */
export const onItemsChanged = (context: Context) => ({
  durable: 'items',
  types: ['items_changed'],
  async handle(received: readonly ReceivedEvent[]) {
    const changes = received.flatMap(({ event: { data } }) =>
      data.case === 'itemsChanged' ? [data.value] : [],
    );
    await noteChanges(context, changes);
    const checks = rowsOf(changes).placed.flatMap(checksOf);
    const distinct = new Map(checks.map((check) => [JSON.stringify(check), check]));
    for (const check of distinct.values()) await followChange(context, check);
  },
});
