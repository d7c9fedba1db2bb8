import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { change } from '../actions/change.ts';
import { waitingSide } from '../actions/waiting-side.ts';
import type { Context } from '../context.ts';

/** Declines the agreement. A silent decline tells the other sides nothing; the agreement waits until it expires. */
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
