import type { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import type { UnaryHandler } from '@hearth/rpc';
import { answerProposal } from '../actions/answer-proposal.ts';
import type { Context } from '../context.ts';

export const acceptRequestRules =
  (context: Context): UnaryHandler<typeof RequestRulesService.method.acceptRequestRules> =>
  ({ id }, call) =>
    answerProposal(context, id, 'approved', call);
