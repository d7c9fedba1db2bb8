import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { isUuid } from '@hearth/ids';
import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { UnaryHandler } from '@hearth/rpc';
import { requestsTopic } from '../../requests/module.ts';
import type { Context } from '../context.ts';
import { approvalsTopic } from '../domain/topics.ts';

const holdsMs = 30_000;

export const countWaiting =
  ({ requests }: Context): UnaryHandler<typeof ApprovalsService.method.countWaiting> =>
  async ({ owner, person }, call) => {
    const owners = [...new Set([owner, person])].filter(isUuid);
    if (owners.length === 0) return {};
    const { inbox, others } = await requests.count({ person: person || owner, caller: owner });
    call.validFor(holdsMs, ...owners.flatMap((one) => [approvalsTopic(one), requestsTopic(one)]));
    return {
      approvals: inbox.count,
      oldestApproval: inbox.oldest === null ? undefined : timestampFromDate(inbox.oldest),
      requests: others.count,
      oldestRequest: others.oldest === null ? undefined : timestampFromDate(others.oldest),
    };
  };
