import type { ReceivedEvent } from '@hearth/runtime';
import { followChange } from '../actions/move-items.ts';
import type { Context } from '../context.ts';
import { changesOf, changeTypes } from '../domain/moves.ts';

/** Moves what waits to those who see it from now on, and ends what waits for the gone and from the blocked. */
export const onViewersChanged = (context: Context) => ({
  durable: 'moves',
  types: changeTypes,
  async handle(received: readonly ReceivedEvent[]) {
    const changes = received.flatMap(({ event }) => changesOf(event));
    const distinct = new Map(changes.map((change) => [JSON.stringify(change), change]));
    for (const change of distinct.values()) await followChange(context, change);
  },
});
