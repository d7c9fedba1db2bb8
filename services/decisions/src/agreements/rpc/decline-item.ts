import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { changeItem } from '../actions/place-side.ts';
import { waitingSide } from '../actions/waiting-side.ts';
import type { Context } from '../context.ts';

/** Ends the agreement; silently it waits on until its time is over, and the other sides learn nothing. */
export const declineItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.declineItem> =>
  async ({ keys, note, silent }, { caller }) => {
    const waiting = await waitingSide(context, keys, caller);
    const { ai } = waiting.side;
    if (silent) await changeItem(context, waiting, { kind: 'place', ai, box: 'refused' }, undefined);
    else await changeItem(context, waiting, { kind: 'decline', ai, reason: note }, undefined);
    return {};
  };
