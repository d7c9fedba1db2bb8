import { forbidden, notFound } from '@hearth/errors';
import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { itemOf } from '../actions/item-of.ts';
import { passOn } from '../actions/move-places.ts';
import type { Context } from '../context.ts';

export const passItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.passItem> =>
  async ({ keys, note }, { caller }) => {
    const found = await context.batched.find(itemOf(keys).id);
    if (found === null) throw notFound();
    const place = found.recipients.find(({ front_door }) => front_door === caller.id);
    if (place === undefined) throw forbidden('this did not come to you at the front door of your person');
    await passOn(context, place, note, caller);
    return {};
  };
