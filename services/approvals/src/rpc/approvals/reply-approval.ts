import { actingPerson, callerKinds } from '@hearth/rpc';
import type { Context } from '../../context.ts';
import { answerFor, readDecision } from './answering.ts';
import { findVisible } from './find-visible.ts';
import type { ApprovalsHandlers } from './index.ts';
import { showApproval } from './show-approvals.ts';

/** One answer each, and final. */
export const replyApproval =
  (context: Context): ApprovalsHandlers['replyApproval'] =>
  async (request, { caller }) => {
    // An app answers for somebody, or not at all.
    if (caller.kind === callerKinds.APP) actingPerson(caller);
    const decision = readDecision(request.decision);
    const found = await findVisible(context, request.id, caller);
    const { answer, note, askDigest } = request;
    const after = await answerFor(context, found, { decision, answer, note, askDigest }, caller);
    return await showApproval(context, after, caller);
  };
