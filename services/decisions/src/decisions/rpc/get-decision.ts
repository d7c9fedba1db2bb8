import type { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { UnaryHandler } from '@hearth/rpc';
import { findElsewhere, waitOnCopy } from '../../shared/actions/elsewhere.ts';
import { findVisible } from '../actions/find-visible.ts';
import { showCopy } from '../actions/show-copies.ts';
import { showDecision } from '../actions/show-decisions.ts';
import type { Context } from '../context.ts';
import { isFinal } from '../domain/decision.ts';
import { decisionTopic } from '../domain/topics.ts';

/** Held until the decision changes when the caller asks for that. */
export const getDecision =
  (context: Context): UnaryHandler<typeof DecisionsService.method.getDecision> =>
  async ({ id, wait, revision }, call) => {
    const copy = await findElsewhere(context.copies, id, call.caller);
    if (copy !== null) {
      waitOnCopy(call, copy, { wait, revision });
      return await showCopy(context, copy, call.caller);
    }
    const found = await findVisible(context, id, call.caller);
    const { row } = found;
    const known = revision === undefined ? undefined : revision >= row.revision;
    if ((wait ?? 0) > 0 && known === true && !isFinal(row)) call.waitOn(decisionTopic(row.id));
    return await showDecision(context, found, call.caller);
  };
