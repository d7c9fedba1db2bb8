import { whoseRules } from '../actions/find-subject.ts';
import { showRules } from '../actions/show-rules.ts';
import type { RulesContext } from '../context.ts';
import type { RequestRulesHandlers } from './index.ts';

export const getRequestRules =
  (context: RulesContext): RequestRulesHandlers['getRequestRules'] =>
  async ({ person }, call) =>
    await showRules(context, await whoseRules(context.people, person, call.caller), call);
