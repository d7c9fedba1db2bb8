import type { RulesContext } from '../../rules-context.ts';
import { answerProposal } from './answer-proposal.ts';
import type { RequestRulesHandlers } from './index.ts';

export const declineRequestRules =
  (context: RulesContext): RequestRulesHandlers['declineRequestRules'] =>
  ({ id }, call) =>
    answerProposal(context, id, 'declined', call);
