import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { isUuid } from '@hearth/ids';
import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { countOpen, type WaitingCount } from '../db/lists.ts';
import { approvalsTopic } from '../domain/topics.ts';

/** A larger number is of no use to a reader. */
const most = 1_000;
const holdsMs = 30_000;

export const countWaiting =
  (context: Context): UnaryHandler<typeof ApprovalsService.method.countWaiting> =>
  async ({ owner, person }, call) => {
    const { clock, database, elsewhere } = context;
    const owners = [...new Set([owner, person])].filter(isUuid);
    if (owners.length === 0) return {};
    const [counts, others] = await Promise.all([
      countOpen(database.db, owners, new Date(clock.now()), most),
      elsewhere().count(owner, person, call),
    ]);
    const approvals = counts.find(({ requests }) => !requests);
    const requests = counts.find((one) => one.requests);
    // The topics of messages and groups for a person whose requests changed.
    const topics = owners.flatMap((one) => [approvalsTopic(one), `messages:${one}`, `invites:${one}`]);
    call.validFor(holdsMs, ...topics);
    return {
      approvals: approvals?.count ?? 0,
      oldestApproval: oldestOf(approvals),
      requests: Math.min((requests?.count ?? 0) + others.count, most),
      oldestRequest: oldestOf(requests, others),
    };
  };

function oldestOf(...counts: (Pick<WaitingCount, 'oldest'> | undefined)[]) {
  const times = counts.flatMap((count) => count?.oldest?.getTime() ?? []);
  return times.length === 0 ? undefined : timestampFromMs(Math.min(...times));
}
