import type { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import type { UnaryHandler } from '@hearth/rpc';
import { answerProposal } from '../actions/answer-proposal.ts';
import type { Context } from '../context.ts';

export const declineRequestRules =
  (context: Context): UnaryHandler<typeof RequestRulesService.method.declineRequestRules> =>
  ({ id }, call) =>
    answerProposal(context, id, 'declined', call);
