import { answerProposal } from '../actions/answer-proposal.ts';
import type { RulesContext } from '../context.ts';
import type { RequestRulesHandlers } from './index.ts';

export const declineRequestRules =
  (context: RulesContext): RequestRulesHandlers['declineRequestRules'] =>
  ({ id }, call) =>
    answerProposal(context, id, 'declined', call);
