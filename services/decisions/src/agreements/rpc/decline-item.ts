import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { change } from '../actions/change.ts';
import { waitingSide } from '../actions/waiting-side.ts';
import type { Context } from '../context.ts';

/** Ends the agreement; silently it waits on until its time is over, and the other sides learn nothing. */
export const declineItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.declineItem> =>
  async ({ keys, note, silent }, { caller }) => {
    const { row, side } = await waitingSide(context, keys, caller);
    const { ai } = side;
    await change(context, row, () =>
      silent ? { kind: 'place', ai, box: 'refused' } : { kind: 'decline', ai, reason: note },
    );
    return {};
  };
