import { badField } from '@hearth/errors';
import { placeCursor, readPage } from '@hearth/paging';
import { ApprovalStatus, type ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { UnaryHandler } from '@hearth/rpc';
import { asOfNow } from '../actions/roles-now.ts';
import { showApprovals } from '../actions/show-approvals.ts';
import { isAsker, maySee, type Viewer, viewing } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import type { ApprovalRow } from '../db/approvals.ts';
import { listForApp, listForOwners } from '../db/lists.ts';
import { statuses } from '../domain/enum-names.ts';
import { isDue } from '../domain/machine.ts';

/** The approvals that wait for the caller or their person, and those they asked; newest first. */
export const listApprovals =
  (context: Context): UnaryHandler<typeof ApprovalsService.method.listApprovals> =>
  async (request, { caller }) => {
    const { clock, database } = context;
    const { db } = database;
    const viewer = viewing(caller);
    const { owners, app } = viewer;
    const status = readStatus(request.status);
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: placeCursor,
      async find(after, limit) {
        const page = { status, after, limit };
        return app === null ? await listForOwners(db, owners, page) : await listForApp(db, app, page);
      },
      placeOf: ({ approval }) => ({ at: approval.asked_at, id: approval.id }),
    });
    const belonging = rows.filter(({ approval }) => belongs(approval, viewer, status, clock.now()));
    const seen = await Promise.all(
      belonging.map(async (whole) => {
        const { approval, recipients } = await asOfNow(context, whole);
        return maySee(viewer, approval, recipients);
      }),
    );
    const shown = belonging.filter((_, index) => seen[index]);
    return { approvals: await showApprovals(context, shown, caller), nextCursor };
  };

function readStatus(status: ApprovalStatus | undefined): string | null {
  if (status === undefined || status === ApprovalStatus.UNSPECIFIED) return null;
  const name = statuses.nameOf(status);
  if (name === '') throw badField('status', 'must be waiting, approved, declined, cancelled or expired');
  return name;
}

/** A due approval waits for no one, even before it is stored as expired. */
function belongs(row: ApprovalRow, viewer: Viewer, status: string | null, now: number): boolean {
  return !isDue(row, now) || (status === null && isAsker(viewer, row));
}
