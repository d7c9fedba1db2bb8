import type { RulesContext } from '../../rules-context.ts';
import type { RequestRulesHandlers } from './index.ts';
import { showRules } from './show-rules.ts';
import { whoseRules } from './whose-rules.ts';

export const getRequestRules =
  (context: RulesContext): RequestRulesHandlers['getRequestRules'] =>
  async ({ person }, call) =>
    await showRules(context, await whoseRules(context.people, person, call.caller), call);
