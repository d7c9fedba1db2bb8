import { forbidden } from '@hearth/errors';
import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { change } from '../actions/change.ts';
import { waitingSide } from '../actions/waiting-side.ts';
import type { Context } from '../context.ts';

export const passItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.passItem> =>
  async ({ keys, note }, { caller }) => {
    const { row, side } = await waitingSide(context, keys, caller);
    const { ai, holder } = side;
    if (holder !== caller.id) throw forbidden('this did not come to you at the front door of your person');
    await change(context, row, () => ({ kind: 'place', ai, box: 'requests', passedNote: note }), caller);
    return {};
  };
