import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { Handlers } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { answerByMail } from './answer-by-mail.ts';
import { askApproval } from './ask-approval.ts';
import { askJoin } from './ask-join.ts';
import { cancelApproval } from './cancel-approval.ts';
import { countWaiting } from './count-waiting.ts';
import { findByMailKey } from './find-by-mail-key.ts';
import { getApproval } from './get-approval.ts';
import { listApprovals } from './list-approvals.ts';
import { passRequest } from './pass-request.ts';
import { relabelRequest } from './relabel-request.ts';
import { remindApproval } from './remind-approval.ts';
import { replyApproval } from './reply-approval.ts';
import { cancelJoin, settleJoin } from './settle-join.ts';

export type ApprovalsHandlers = Handlers<typeof ApprovalsService>;

export function approvalsHandlers(context: Context): ApprovalsHandlers {
  return {
    askApproval: askApproval(context),
    listApprovals: listApprovals(context),
    getApproval: getApproval(context),
    replyApproval: replyApproval(context),
    cancelApproval: cancelApproval(context),
    remindApproval: remindApproval(context),
    passRequest: passRequest(context),
    relabelRequest: relabelRequest(context),
    askJoin: askJoin(context),
    settleJoin: settleJoin(context),
    cancelJoin: cancelJoin(context),
    countWaiting: countWaiting(context),
    findByMailKey: findByMailKey(context),
    answerByMail: answerByMail(context),
  };
}
