import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { UnaryHandler } from '@hearth/rpc';
import { answerFor, readDecision } from '../actions/answer.ts';
import { findVisible } from '../actions/find-visible.ts';
import { showApproval } from '../actions/show-approvals.ts';
import type { Context } from '../context.ts';

/** Each recipient answers once, and the answer is final. */
export const replyApproval =
  (context: Context): UnaryHandler<typeof ApprovalsService.method.replyApproval> =>
  async (request, { caller }) => {
    const decision = readDecision(request.decision);
    const found = await findVisible(context, request.id, caller);
    const { answer, note, askDigest } = request;
    const after = await answerFor(context, found, { decision, answer, note, askDigest }, caller);
    return await showApproval(context, after, caller);
  };
