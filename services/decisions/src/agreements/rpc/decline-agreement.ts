import type { AgreementsService } from '@hearth/proto/decisions/v1/agreements';
import type { UnaryHandler } from '@hearth/rpc';
import { requireAi } from '../actions/calling-side.ts';
import { endQuestions } from '../actions/errands.ts';
import { findVisible } from '../actions/find-visible.ts';
import { showAgreement } from '../actions/show-agreements.ts';
import type { Context } from '../context.ts';
import { itemChanges } from '../domain/items.ts';

/** By the AI that started it, it withdraws it. Repeated it answers the same. */
export const declineAgreement =
  (context: Context): UnaryHandler<typeof AgreementsService.method.declineAgreement> =>
  async ({ id, reason = '' }, { caller }) => {
    requireAi(caller);
    const row = await findVisible(context, id, caller);
    const { state } = await context.agreements.act(row.id, () => ({
      act: { kind: 'decline', ai: caller.id, reason },
      by: caller,
    }));
    await context.items.note(itemChanges(row, state));
    await endQuestions(context, state);
    return showAgreement(context, state, caller);
  };
