import type { ReceivedEvent } from '@hearth/runtime';
import { followChange } from '../actions/move-items.ts';
import type { Context } from '../context.ts';
import { changesOf, changeTypes } from '../domain/moves.ts';

/** Moves waiting items to their new viewers, and ends items for deleted recipients and from blocked senders. */
export const onViewersChanged = (context: Context) => ({
  durable: 'moves',
  types: changeTypes,
  async handle(received: readonly ReceivedEvent[]) {
    const changes = received.flatMap(({ event }) => changesOf(event));
    const distinct = new Map(changes.map((change) => [JSON.stringify(change), change]));
    for (const change of distinct.values()) await followChange(context, change);
  },
});
