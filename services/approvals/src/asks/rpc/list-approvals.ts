import { badField } from '@hearth/errors';
import { ApprovalStatus } from '@hearth/proto/approvals/v1/approvals';
import { pageSize } from '../../shared/actions/page-size.ts';
import { printPlace, readPlace } from '../../shared/domain/cursor.ts';
import { showApprovals, statusNow } from '../actions/show-approvals.ts';
import { isAsker, type Viewer, viewing } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import type { ApprovalRow } from '../db/approvals.ts';
import { listForApp, listForOwners, type Page } from '../db/lists.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { statuses } from '../domain/enum-names.ts';
import type { ApprovalsHandlers } from './index.ts';

/** What waits for the caller or their person, and what they asked; newest first. */
export const listApprovals =
  (context: Context): ApprovalsHandlers['listApprovals'] =>
  async (request, { caller }) => {
    const limit = pageSize(context, request.limit);
    const viewer = viewing(caller);
    const status = readStatus(request.status);
    const found = await listFor(context, viewer, {
      status,
      after: request.cursor === undefined ? null : readPlace(request.cursor),
      limit: limit + 1,
    });
    const page = found.slice(0, limit);
    const last = page.at(-1)?.approval;
    const more = found.length > limit && last !== undefined;
    const shown = page.filter(({ approval }) => belongs(approval, viewer, status, context.clock.now()));
    return {
      approvals: await showApprovals(context, shown, caller),
      nextCursor: more ? printPlace({ at: last.asked_at, id: last.id }) : undefined,
    };
  };

function readStatus(status: ApprovalStatus | undefined): string | null {
  if (status === undefined || status === ApprovalStatus.UNSPECIFIED) return null;
  const word = statuses.word(status);
  if (word === '') throw badField('status', 'must be waiting, approved, declined, cancelled or expired');
  return word;
}

async function listFor(
  { database: { db } }: Context,
  { owners, app }: Viewer,
  page: Page,
): Promise<WholeApproval[]> {
  return app === null ? await listForOwners(db, owners, page) : await listForApp(db, app, page);
}

/** What ran out of time a moment ago waits for nobody, and is not written down as expired yet. */
function belongs(row: ApprovalRow, viewer: Viewer, status: string | null, now: number): boolean {
  if (statusNow(row, now) === row.status) return true;
  return status === null && isAsker(viewer, row);
}
