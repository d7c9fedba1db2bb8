import { cursorOf, readPage } from '@hearth/paging';
import type { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
import { findGroupId } from '../../shared/actions/find-group.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { showPlans } from '../actions/show-plans.ts';
import type { Context } from '../context.ts';
import { planTable } from '../db/plans.ts';
import { statuses } from '../domain/enum-names.ts';

const cursor = cursorOf({ at: 'time', id: 'uuid' });

/** The plans that the caller has a seat at, the newest first. */
export const listPlans =
  (context: Context): UnaryHandler<typeof PlansService.method.listPlans> =>
  async (request, { caller }) => {
    const { database } = context;
    const listed = {
      viewer: viewerIdOf(caller),
      status: statuses.nameOf(request.status ?? 0) || null,
      waiting: request.waitingOn === 'me',
      group: request.group === undefined ? null : await findGroupId(context, request.group),
    };
    const { rows, nextCursor } = await readPage(context, request, {
      cursor,
      find: (after, limit) => planTable.listSeen(database.db, listed, after, limit),
      placeOf: ({ row }) => ({ at: row.started_at, id: row.id }),
    });
    return { plans: await showPlans(context, rows, caller), nextCursor };
  };
