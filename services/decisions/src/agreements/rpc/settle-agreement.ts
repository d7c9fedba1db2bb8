import type { AgreementsService } from '@hearth/proto/decisions/v1/agreements';
import type { UnaryHandler } from '@hearth/rpc';
import { requireAi } from '../actions/calling-side.ts';
import { findVisible } from '../actions/find-visible.ts';
import { showAgreement } from '../actions/show-agreements.ts';
import type { Context } from '../context.ts';
import type { Outcome } from '../domain/agreement.ts';
import { outcomes } from '../domain/enum-names.ts';

/** Each side once: settled when all say that it was kept. */
export const settleAgreement =
  (context: Context): UnaryHandler<typeof AgreementsService.method.settleAgreement> =>
  async ({ id, outcome, note = '' }, { caller }) => {
    requireAi(caller);
    const row = await findVisible(context, id, caller);
    const { state } = await context.agreements.act(row.id, () => ({
      act: { kind: 'settle', ai: caller.id, outcome: outcomes.nameOf(outcome) as Outcome, note },
      by: caller,
    }));
    return showAgreement(context, await context.signing.now(state, caller), caller);
  };
