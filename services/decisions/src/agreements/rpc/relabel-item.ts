import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { change } from '../actions/change.ts';
import { waitingSide } from '../actions/waiting-side.ts';
import type { Context } from '../context.ts';
import { itemsOf } from '../domain/items.ts';

export const relabelItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.relabelItem> =>
  async ({ keys, label }, { caller }) => {
    const { row, side, part } = await waitingSide(context, keys, caller);
    const { ai, box } = side;
    const after = await change(context, row, () => ({ kind: 'place', ai, box, label }));
    return { change: itemsOf(after, [part]) };
  };
