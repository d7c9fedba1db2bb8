import { answerProposal } from '../actions/answer-proposal.ts';
import type { RulesContext } from '../context.ts';
import type { RequestRulesHandlers } from './index.ts';

export const acceptRequestRules =
  (context: RulesContext): RequestRulesHandlers['acceptRequestRules'] =>
  ({ id }, call) =>
    answerProposal(context, id, 'approved', call);
