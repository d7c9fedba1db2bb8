import type { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import type { UnaryHandler } from '@hearth/rpc';
import { findSubject } from '../actions/find-subject.ts';
import { showRules } from '../actions/show-rules.ts';
import type { Context } from '../context.ts';

export const getRequestRules =
  (context: Context): UnaryHandler<typeof RequestRulesService.method.getRequestRules> =>
  async ({ person }, call) =>
    await showRules(context, await findSubject(context, person, call.caller), call);
