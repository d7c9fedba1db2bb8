import type { RulesContext } from '../../rules-context.ts';
import { answerProposal } from './answer-proposal.ts';
import type { RequestRulesHandlers } from './index.ts';

export const acceptRequestRules =
  (context: RulesContext): RequestRulesHandlers['acceptRequestRules'] =>
  ({ id }, call) =>
    answerProposal(context, id, 'approved', call);
