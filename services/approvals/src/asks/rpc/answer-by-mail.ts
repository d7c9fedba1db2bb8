import { internal, notFound } from '@hearth/errors';
import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { UnaryHandler } from '@hearth/rpc';
import { answered, readDecision } from '../actions/answer.ts';
import { changeApproval } from '../actions/change-approval.ts';
import { findMailed, showMailed } from '../actions/find-mailed.ts';
import type { Context } from '../context.ts';

/** Answers from the page that the mail links to. */
export const answerByMail =
  (context: Context): UnaryHandler<typeof ApprovalsService.method.answerByMail> =>
  async (request) => {
    const found = await findMailed(context, request.approval, request.keyHash);
    if (found === null) throw notFound();
    const { whole, recipient } = found;
    const { answer, note, askDigest } = request;
    const wanted = { decision: readDecision(request.decision), answer, note, askDigest };
    const how = { by: null, as: 'person', via: 'web', proof: 'email' } as const;
    const after = await changeApproval(context, whole.approval.id, (locked, recipients) => {
      const place = recipients.find(({ position }) => position === recipient.position);
      if (place === undefined) throw internal('the recipient of an email is no recipient of its ask');
      return answered(context, locked, place, wanted, how);
    });
    return await showMailed(context, { whole: after, recipient });
  };
