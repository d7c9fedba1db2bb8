import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { approvalsTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { countOpen, type WaitingCount } from '../db/lists.ts';
import type { ApprovalsHandlers } from './index.ts';

/** Nobody reads more than that many as a number. */
const most = 1_000;
const holdsMs = 30_000;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const countWaiting =
  (context: Context): ApprovalsHandlers['countWaiting'] =>
  async ({ owner, person }, call) => {
    const { clock, database, rules } = context;
    const owners = [...new Set([owner, person])].filter((id) => uuid.test(id));
    if (owners.length === 0) return {};
    const [counts, elsewhere] = await Promise.all([
      countOpen(database.db, owners, new Date(clock.now()), most),
      rules.countElsewhere(owner, person, call),
    ]);
    const approvals = counts.find(({ requests }) => !requests);
    const requests = counts.find((one) => one.requests);
    const topics = owners.flatMap((one) => [approvalsTopic(one), messagesTopic(one), invitesTopic(one)]);
    call.validFor(holdsMs, ...topics);
    return {
      approvals: approvals?.count ?? 0,
      oldestApproval: oldestOf(approvals),
      requests: Math.min((requests?.count ?? 0) + elsewhere.count, most),
      oldestRequest: oldestOf(requests, elsewhere),
    };
  };

/** As messages wakes whoever waits for some. */
function messagesTopic(owner: string): string {
  return `messages:${owner}`;
}

/** As groups wakes whoever has an invite waiting. */
function invitesTopic(owner: string): string {
  return `invites:${owner}`;
}

function oldestOf(...counts: (Pick<WaitingCount, 'oldest'> | undefined)[]) {
  const moments = counts.flatMap((count) => (count?.oldest == null ? [] : [count.oldest.getTime()]));
  return moments.length === 0 ? undefined : timestampFromMs(Math.min(...moments));
}
