import { actorOf } from '@hearth/rpc';
import { whomToUnblock } from '../actions/find-target.ts';
import { blockerOf } from '../actions/viewer.ts';
import type { RequestsContext } from '../context.ts';
import { deleteBlocks } from '../db/blocks.ts';
import { unblockedEvent } from '../domain/events.ts';
import type { RequestsHandlers } from './index.ts';

/** What was ended by the block stays so. */
export const unblock =
  (context: RequestsContext): RequestsHandlers['unblock'] =>
  async (request, call) => {
    const { database, outbox } = context;
    const { caller } = call;
    const owner = blockerOf(caller);
    const { target, targetId } = await whomToUnblock(context, request.target, call);
    const events = await database.transaction(async (tx) => {
      const rows = await deleteBlocks(tx, owner, target, targetId);
      const announced = rows.map((row) =>
        unblockedEvent(
          outbox,
          { person: owner, target: row.target, targetId: row.targetId ?? '' },
          actorOf(caller),
        ),
      );
      if (announced.length > 0) await outbox.announce(tx, announced);
      return announced;
    });
    outbox.committed(events);
    return { unblocked: events.length > 0 };
  };
