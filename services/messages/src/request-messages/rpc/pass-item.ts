import { forbidden } from '@hearth/errors';
import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { waitingItem } from '../actions/waiting-item.ts';
import type { Context } from '../context.ts';

/** Messages can be accepted or declined, but not passed on. */
export const passItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.passItem> =>
  async (request, call) => {
    await waitingItem(context, request, call);
    throw forbidden('this did not come to you at the front door of your person');
  };
