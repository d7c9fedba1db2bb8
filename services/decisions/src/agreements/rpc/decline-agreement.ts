import { AgreementsService } from '@hearth/proto/decisions/v1/agreements';
import type { UnaryHandler } from '@hearth/rpc';
import { actAsSide } from '../actions/act-as-side.ts';
import type { Context } from '../context.ts';

const { declineAgreement: method } = AgreementsService.method;

/** By the AI that started it, it withdraws it. Repeated it answers the same. */
export const declineAgreement =
  (context: Context): UnaryHandler<typeof AgreementsService.method.declineAgreement> =>
  async (request, { caller }) =>
    await actAsSide(context, { method, request, caller }, ({ status }) => {
      const ai = caller.id;
      // A home that declines by itself what all have signed says that its side is gone.
      const gone = status === 'ready' && context.acts.of(caller)?.byRule === true;
      return gone ? { kind: 'leave', ai } : { kind: 'decline', ai, reason: request.reason ?? '' };
    });
