import { placeCursor, readPage } from '@hearth/paging';
import type { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { UnaryHandler } from '@hearth/rpc';
import { findGroupId } from '../../shared/actions/find-group.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { showDecisions } from '../actions/show-decisions.ts';
import type { Context } from '../context.ts';
import { decisionTable } from '../db/decisions.ts';
import { statuses } from '../domain/enum-names.ts';

/** The decisions that the caller has a seat at, the newest first. */
export const listDecisions =
  (context: Context): UnaryHandler<typeof DecisionsService.method.listDecisions> =>
  async (request, { caller }) => {
    const { database } = context;
    const group = request.group === undefined ? null : await findGroupId(context, request.group);
    const listed = {
      viewer: viewerIdOf(caller),
      status: statuses.nameOf(request.status ?? 0) || null,
      waiting: request.waitingOn === 'me',
      group,
    };
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: placeCursor,
      find: (after, limit) => decisionTable.listSeen(database.db, listed, after, limit),
      placeOf: ({ row }) => ({ at: row.started_at, id: row.id }),
    });
    return { decisions: await showDecisions(context, rows, caller), nextCursor };
  };
