import { actorOf } from '@hearth/rpc';
import { deleteBlocks } from '../../db/blocks.ts';
import { unblockedEvent } from '../../events/announce-requests.ts';
import type { RequestsContext } from '../../requests-context.ts';
import type { RequestsHandlers } from './index.ts';
import { blockerOf } from './viewer.ts';
import { whomToUnblock } from './whom-to-block.ts';

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
