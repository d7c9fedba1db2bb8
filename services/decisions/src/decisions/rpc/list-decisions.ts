import type { SeenCopy } from '@hearth/home-acts';
import { newestOf, placeCursor, readPage } from '@hearth/paging';
import type { DecisionSchema, DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { UnaryHandler } from '@hearth/rpc';
import { findGroupId } from '../../shared/actions/find-group.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { showDecisions } from '../actions/show-decisions.ts';
import type { Context } from '../context.ts';
import { decisionTable, type WholeDecision } from '../db/decisions.ts';
import { statuses } from '../domain/enum-names.ts';

type Listed = WholeDecision | SeenCopy<typeof DecisionSchema>;

const placeOf = (one: Listed) =>
  'row' in one ? { at: one.row.started_at, id: one.row.id } : { at: one.started_at, id: one.id };

/** The decisions that the caller has a seat at, the newest first. */
export const listDecisions =
  (context: Context): UnaryHandler<typeof DecisionsService.method.listDecisions> =>
  async (request, { caller }) => {
    const { copies, database } = context;
    const group = request.group === undefined ? null : await findGroupId(context, request.group);
    const listed = {
      viewer: viewerIdOf(caller),
      status: statuses.nameOf(request.status ?? 0) || null,
      waiting: request.waitingOn === 'me',
      group,
    };
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: placeCursor,
      async find(after, limit) {
        const [own, others] = await Promise.all([
          decisionTable.listSeen(database.db, listed, after, limit),
          copies.list({ ...listed, viewers: [listed.viewer], group: request.group ?? null }, after, limit),
        ]);
        return newestOf(placeOf, limit, own, others);
      },
      placeOf,
    });
    const own = rows.filter((one) => 'row' in one);
    const shown = await showDecisions(context, own, caller);
    return { decisions: rows.map((one) => ('row' in one ? shown.shift()! : one.message)), nextCursor };
  };
