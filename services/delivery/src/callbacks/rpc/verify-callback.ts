import type { CallbacksService } from '@hearth/proto/delivery/v1/callbacks';
import type { UnaryHandler } from '@hearth/rpc';
import { verifyAddress } from '../../shared/actions/verify-address.ts';
import type { Context } from '../context.ts';

/** Asked before an ask is written: the two sides share no secret, so that the home's own key alone signs the challenge. */
export const verifyCallback =
  (context: Context): UnaryHandler<typeof CallbacksService.method.verifyCallback> =>
  async ({ url }, call) => {
    await verifyAddress(context, { party: call.caller.id, url, field: 'callback' }, call);
    return {};
  };
