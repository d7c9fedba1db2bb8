import type { SeenCopy } from '@hearth/home-acts';
import { newestOf, placeCursor, readPage } from '@hearth/paging';
import type { PlanSchema, PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
import { findGroupId } from '../../shared/actions/find-group.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { showCopy } from '../actions/show-copies.ts';
import { showPlans } from '../actions/show-plans.ts';
import type { Context } from '../context.ts';
import { planTable, type WholePlan } from '../db/plans.ts';
import { statuses } from '../domain/enum-names.ts';

type Listed = WholePlan | SeenCopy<typeof PlanSchema>;

const placeOf = (one: Listed) =>
  'row' in one ? { at: one.row.started_at, id: one.row.id } : { at: one.started_at, id: one.id };

/** The plans that the caller has a seat at, the newest first. */
export const listPlans =
  (context: Context): UnaryHandler<typeof PlansService.method.listPlans> =>
  async (request, { caller }) => {
    const { copies, database } = context;
    const listed = {
      viewer: viewerIdOf(caller),
      status: statuses.nameOf(request.status ?? 0) || null,
      waiting: request.waitingOn === 'me',
      group: request.group === undefined ? null : await findGroupId(context, request.group),
    };
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: placeCursor,
      async find(after, limit) {
        const [own, others] = await Promise.all([
          planTable.listSeen(database.db, listed, after, limit),
          copies.list({ ...listed, viewers: [listed.viewer], group: request.group ?? null }, after, limit),
        ]);
        return newestOf(placeOf, limit, own, others);
      },
      placeOf,
    });
    const own = rows.filter((one) => 'row' in one);
    const shown = await showPlans(context, own, caller);
    return { plans: rows.map((one) => ('row' in one ? shown.shift()! : showCopy(one))), nextCursor };
  };
