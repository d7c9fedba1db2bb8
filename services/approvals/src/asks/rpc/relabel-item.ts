import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { itemOf } from '../actions/item-of.ts';
import { relabelPlaces } from '../actions/relabel-places.ts';
import type { Context } from '../context.ts';

export const relabelItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.relabelItem> =>
  async ({ keys, label }) => {
    const { id, positions } = itemOf(keys);
    await relabelPlaces(context, id, label, ({ position }) => positions.includes(position));
    return {};
  };
