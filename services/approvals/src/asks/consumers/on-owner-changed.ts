import type { ReceivedEvent } from '@hearth/runtime';
import { moveToOwner } from '../actions/move-to-owner.ts';
import type { Context } from '../context.ts';

/** Moves an AI's asks, and its places in other asks, to its current owner. Idempotent. */
export const onOwnerChanged = (context: Context) => ({
  durable: 'owners',
  types: ['ai_claimed', 'ai_unclaimed'],
  async handle(received: readonly ReceivedEvent[]) {
    const changes = received.flatMap(({ event: { data } }) => {
      if (data.case === 'aiClaimed') return [{ ai: data.value.ai?.id ?? '', former: '' }];
      if (data.case === 'aiUnclaimed') return [{ ai: data.value.ai?.id ?? '', former: data.value.owner }];
      return [];
    });
    for (const change of changes) if (change.ai !== '') await moveToOwner(context, change);
  },
});
