import type { AgreementsService } from '@hearth/proto/decisions/v1/agreements';
import type { UnaryHandler } from '@hearth/rpc';
import { waitOnCopy } from '../../shared/actions/elsewhere.ts';
import { findVisible } from '../actions/find-visible.ts';
import { findCopy, showCopy } from '../actions/on-copy.ts';
import { showAgreement } from '../actions/show-agreements.ts';
import type { Context } from '../context.ts';
import { isFinal } from '../domain/agreement.ts';
import { agreementTopic } from '../domain/topics.ts';

/** Held until the agreement changes when the caller asks for that. */
export const getAgreement =
  (context: Context): UnaryHandler<typeof AgreementsService.method.getAgreement> =>
  async ({ id, wait, revision }, call) => {
    const copy = await findCopy(context, id, call.caller);
    if (copy !== null) {
      waitOnCopy(call, copy, { wait, revision });
      return showCopy(copy, call.caller);
    }
    const row = await findVisible(context, id, call.caller);
    const isKnown = revision !== undefined && revision >= row.revision;
    if ((wait ?? 0) > 0 && isKnown && !isFinal(row)) call.waitOn(agreementTopic(row.id));
    return showAgreement(context, row, call.caller);
  };
