import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { changeItem } from '../actions/place-side.ts';
import { waitingSide } from '../actions/waiting-side.ts';
import type { Context } from '../context.ts';
import { itemsOf } from '../domain/items.ts';

export const relabelItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.relabelItem> =>
  async ({ keys, label }, { caller }) => {
    const waiting = await waitingSide(context, keys, caller);
    const { ai, box } = waiting.side;
    const row = await changeItem(context, waiting, { kind: 'place', ai, box, label }, undefined);
    return { change: itemsOf(row, [waiting.part]) };
  };
