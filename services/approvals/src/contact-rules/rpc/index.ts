import type { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import type { Handlers } from '@hearth/rpc';
import type { RulesContext } from '../context.ts';
import { acceptRequestRules } from './accept-request-rules.ts';
import { checkReach } from './check-reach.ts';
import { declineRequestRules } from './decline-request-rules.ts';
import { findAccepted } from './find-accepted.ts';
import { getRequestRules } from './get-request-rules.ts';
import { proposeRequestRules } from './propose-request-rules.ts';
import { setRequestRules } from './set-request-rules.ts';

export type RequestRulesHandlers = Handlers<typeof RequestRulesService>;

export function requestRulesHandlers(context: RulesContext): RequestRulesHandlers {
  return {
    getRequestRules: getRequestRules(context),
    proposeRequestRules: proposeRequestRules(context),
    acceptRequestRules: acceptRequestRules(context),
    declineRequestRules: declineRequestRules(context),
    setRequestRules: setRequestRules(context),
    checkReach: checkReach(context),
    findAccepted: findAccepted(context),
  };
}
