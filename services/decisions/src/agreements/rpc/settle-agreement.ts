import { AgreementsService } from '@hearth/proto/decisions/v1/agreements';
import type { UnaryHandler } from '@hearth/rpc';
import { actAsSide } from '../actions/act-as-side.ts';
import type { Context } from '../context.ts';
import type { Outcome } from '../domain/agreement.ts';
import { outcomes } from '../domain/enum-names.ts';

const { settleAgreement: method } = AgreementsService.method;

/** Records one outcome per side; the agreement is settled once all sides report that it was kept. */
export const settleAgreement =
  (context: Context): UnaryHandler<typeof AgreementsService.method.settleAgreement> =>
  async (request, { caller }) =>
    await actAsSide(context, { method, request, caller }, () => ({
      kind: 'settle',
      ai: caller.id,
      outcome: outcomes.nameOf(request.outcome) as Outcome,
      note: request.note ?? '',
      item: context.acts.said(caller)?.item,
    }));
