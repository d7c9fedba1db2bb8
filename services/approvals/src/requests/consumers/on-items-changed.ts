import type { ReceivedEvent } from '@hearth/runtime';
import { noteChanges } from '../actions/note-changes.ts';
import type { Context } from '../context.ts';

/** Writes what the sources of other services placed and closed, also where they could not note it themselves. */
export const onItemsChanged = (context: Context) => ({
  durable: 'items',
  types: ['items_changed'],
  async handle(received: readonly ReceivedEvent[]) {
    const changes = received.flatMap(({ event: { data } }) =>
      data.case === 'itemsChanged' ? [data.value] : [],
    );
    await noteChanges(context, changes);
  },
});
