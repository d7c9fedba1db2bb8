import type { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
import { listBoth } from '../../shared/actions/list-both.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { showCopies } from '../actions/show-copies.ts';
import { showPlans } from '../actions/show-plans.ts';
import type { Context } from '../context.ts';
import { planTable } from '../db/plans.ts';
import { statuses } from '../domain/enum-names.ts';

/** The plans that the caller has a seat at, the newest first. */
export const listPlans =
  (context: Context): UnaryHandler<typeof PlansService.method.listPlans> =>
  async (request, { caller }) => {
    const by = { viewer: viewerIdOf(caller), status: statuses.nameOf(request.status ?? 0) || null };
    const { rows, nextCursor } = await listBoth(context, request, by, (...listed) =>
      planTable.listSeen(context.database.db, ...listed),
    );
    const own = rows.filter((one) => 'row' in one);
    const others = rows.flatMap((one) => ('row' in one ? [] : one));
    const [shown, copies] = await Promise.all([
      showPlans(context, own, caller),
      showCopies(context, others, caller),
    ]);
    return { plans: rows.map((one) => ('row' in one ? shown : copies).shift()!), nextCursor };
  };
