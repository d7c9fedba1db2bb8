import { AgreementsService } from '@hearth/proto/decisions/v1/agreements';
import type { UnaryHandler } from '@hearth/rpc';
import { actAsSide } from '../actions/act-as-side.ts';
import type { Context } from '../context.ts';

const { declineAgreement: method } = AgreementsService.method;

/** Declines the agreement; withdraws it if called by the AI that started it. Idempotent. */
export const declineAgreement =
  (context: Context): UnaryHandler<typeof AgreementsService.method.declineAgreement> =>
  async (request, { caller }) =>
    await actAsSide(context, { method, request, caller }, ({ status }) => {
      const ai = caller.id;
      const act = context.acts.of(caller);
      const gone = act?.byRule === true && (status === 'ready' || saysGone(act));
      return gone ? { kind: 'leave', ai } : { kind: 'decline', ai, reason: request.reason ?? '' };
    });

/**
 * Whether a home that declines by rule reports that its side is gone. Older homes don't send `gone`, and
 * decline ready agreements only for that reason.
 */
function saysGone({ item }: { item: string }): boolean {
  const { body } = JSON.parse(item) as { body?: { request?: { gone?: unknown } } };
  return body?.request?.gone === true;
}
