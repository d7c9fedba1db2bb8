import type { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';

/** Resolves once the mail was accepted; gives the mail up if the caller stops waiting. */
export const sendMail =
  ({ mails }: Context): UnaryHandler<typeof DeliveryService.method.sendMail> =>
  async (request, call) => {
    await mails.give(request, call.signal);
    return {};
  };
