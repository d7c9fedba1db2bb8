import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Context } from '../../context.ts';
import { countOpen, type WaitingCount } from '../../db/lists.ts';
import { approvalsTopic } from '../../topics.ts';
import type { ApprovalsHandlers } from './index.ts';

/** Nobody reads more than that many as a number. */
const most = 1_000;
const holdsMs = 30_000;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const countWaiting =
  (context: Context): ApprovalsHandlers['countWaiting'] =>
  async ({ owner, person }, call) => {
    const { clock, database } = context;
    const owners = [...new Set([owner, person])].filter((id) => uuid.test(id));
    const counts =
      owners.length === 0 ? [] : await countOpen(database.db, owners, new Date(clock.now()), most);
    const approvals = counts.find(({ requests }) => !requests);
    const requests = counts.find((one) => one.requests);
    call.validFor(holdsMs, ...owners.map(approvalsTopic));
    return {
      approvals: approvals?.count ?? 0,
      oldestApproval: oldestOf(approvals),
      requests: requests?.count ?? 0,
      oldestRequest: oldestOf(requests),
    };
  };

function oldestOf(count: WaitingCount | undefined) {
  return count?.oldest === null || count === undefined ? undefined : timestampFromDate(count.oldest);
}
