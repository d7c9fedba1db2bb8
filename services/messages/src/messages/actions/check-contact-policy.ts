import type { MessageInitShape } from '@bufbuild/protobuf';
import { internal } from '@hearth/errors';
import type { Reached, ReachSchema, RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import type { Call, Client } from '@hearth/rpc';

/** How a message would reach somebody, by the word of the service that keeps the request rules. */
export type ReachAnswer = Pick<Reached, 'how' | 'frontDoor' | 'guardian' | 'kind' | 'quiet' | 'groups'>;

export type CheckReach = (asked: MessageInitShape<typeof ReachSchema>, call: Call) => Promise<ReachAnswer>;

/** By the word of the service that keeps the request rules. */
export function reachByRules(approvals: Pick<Client<typeof RequestRulesService>, 'checkReach'>): CheckReach {
  return async (asked, call) => {
    const { reached } = await approvals.checkReach({ reaches: [asked] }, { call });
    const [answer] = reached;
    if (answer === undefined) throw internal('approvals says nothing of who reaches whom');
    return answer;
  };
}
