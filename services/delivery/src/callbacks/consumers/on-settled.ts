import { nowDate } from '@hearth/clock';
import { derivedId } from '@hearth/ids';
import type { ReceivedEvent } from '@hearth/runtime';
import { audiences } from '../../events/module.ts';
import { destinationKinds } from '../../shared/db/destinations.ts';
import type { Context } from '../context.ts';
import { queueCallbacks } from '../db/callbacks.ts';

/** Queues the callbacks of settled asks; idempotent. */
export const onSettled = ({ clock, database, outbound }: Context) => ({
  durable: 'callbacks',
  types: audiences.callback.types,
  async handle(received: readonly ReceivedEvent[]) {
    const callbacks = received
      .flatMap(({ event }) => audiences.callback.drafts(event))
      .map(({ event, at, approval, asker }) => ({ id: derivedId(event, 'callback'), asker, approval, at }));
    if (callbacks.length === 0) return;
    await outbound.queue(destinationKinds.callback, callbacks.length, (lease) =>
      database.statement((tx) => queueCallbacks(tx, callbacks, nowDate(clock), lease)),
    );
  },
});
