import { internal, notFound } from '@hearth/errors';
import { answered, readDecision } from '../actions/answer.ts';
import { changeApproval } from '../actions/change-approval.ts';
import type { Context } from '../context.ts';
import { findMailed, showMailed } from './find-by-mail-key.ts';
import type { ApprovalsHandlers } from './index.ts';

/** The button of the page that an e-mail leads to. */
export const answerByMail =
  (context: Context): ApprovalsHandlers['answerByMail'] =>
  async (request) => {
    const found = await findMailed(context, request.approval, request.keyHash);
    if (found === null) throw notFound();
    const { whole, recipient } = found;
    const { answer, note, askDigest } = request;
    const wanted = { decision: readDecision(request.decision), answer, note, askDigest };
    const how = { by: null, as: 'person', via: 'web', proof: 'email' } as const;
    const after = await changeApproval(context, whole.approval.id, (locked, recipients) => {
      const place = recipients.find(({ position }) => position === recipient.position);
      if (place === undefined) throw internal('somebody who was written to is not asked');
      return answered(context, locked, place, wanted, how);
    });
    return await showMailed(context, { whole: after, recipient });
  };
