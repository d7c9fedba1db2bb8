import { AgreementsService } from '@hearth/proto/decisions/v1/agreements';
import type { UnaryHandler } from '@hearth/rpc';
import { requireAi } from '../actions/calling-side.ts';
import { findVisible } from '../actions/find-visible.ts';
import { findCopy, onCopy } from '../actions/on-copy.ts';
import { showAgreement } from '../actions/show-agreements.ts';
import type { Context } from '../context.ts';
import type { Outcome } from '../domain/agreement.ts';
import { outcomes } from '../domain/enum-names.ts';

const { settleAgreement: method } = AgreementsService.method;

/** Each side once: settled when all say that it was kept. */
export const settleAgreement =
  (context: Context): UnaryHandler<typeof AgreementsService.method.settleAgreement> =>
  async (request, { caller }) => {
    requireAi(caller);
    const { id, outcome, note = '' } = request;
    const copy = await findCopy(context, id, caller);
    if (copy !== null) return await onCopy(context, copy, { method, request, caller });
    const row = await findVisible(context, id, caller);
    const item = context.acts.said(caller)?.item;
    const { state } = await context.agreements.act(row.id, () => ({
      act: { kind: 'settle', ai: caller.id, outcome: outcomes.nameOf(outcome) as Outcome, note, item },
      by: caller,
    }));
    return showAgreement(context, await context.signing.now(state, caller), caller);
  };
