import { AgreementsService } from '@hearth/proto/decisions/v1/agreements';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { requireAi } from '../actions/calling-side.ts';
import { endQuestions } from '../actions/errands.ts';
import { findVisible } from '../actions/find-visible.ts';
import { findCopy, onCopy } from '../actions/on-copy.ts';
import { showAgreement } from '../actions/show-agreements.ts';
import type { Context } from '../context.ts';
import type { AgreementRow } from '../db/agreements.ts';
import { itemChanges } from '../domain/items.ts';
import type { Act } from '../domain/machine.ts';

const { declineAgreement: method } = AgreementsService.method;

/** By the AI that started it, it withdraws it. Repeated it answers the same. */
export const declineAgreement =
  (context: Context): UnaryHandler<typeof AgreementsService.method.declineAgreement> =>
  async (request, { caller }) => {
    requireAi(caller);
    const { id, reason = '' } = request;
    const copy = await findCopy(context, id, caller);
    if (copy !== null) return await onCopy(context, copy, { method, request, caller });
    const row = await findVisible(context, id, caller);
    const { state } = await context.agreements.act(row.id, () => ({
      act: actOf(context, row, caller, reason),
      by: caller,
    }));
    await context.items.note(itemChanges(row, state));
    await endQuestions(context, state);
    return showAgreement(context, state, caller);
  };

/** A home that declines by itself what all have signed says that its side is gone. */
function actOf({ acts }: Context, { status }: AgreementRow, caller: Caller, reason: string): Act {
  const ai = caller.id;
  const gone = status === 'ready' && acts.of(caller)?.byRule === true;
  return gone ? { kind: 'leave', ai } : { kind: 'decline', ai, reason };
}
