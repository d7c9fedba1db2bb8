import type { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { UnaryHandler } from '@hearth/rpc';
import { deadlineOf } from '../../shared/actions/deadline.ts';
import { requireStarter } from '../../shared/actions/find-group.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { starterOf } from '../../shared/domain/starter.ts';
import { findVisible } from '../actions/find-visible.ts';
import { showDecision } from '../actions/show-decisions.ts';
import type { Context } from '../context.ts';

/** Gives an open decision more time. */
export const extendDecision =
  (context: Context): UnaryHandler<typeof DecisionsService.method.extendDecision> =>
  async ({ id, deadlineHours }, { caller }) => {
    const found = await findVisible(context, id, caller);
    await requireStarter(context, found.row.group, starterOf(found.row), viewerIdOf(caller));
    const deadline = deadlineOf(context, deadlineHours, 'decision_deadline_least_seconds').getTime();
    const state = await context.decisions.actOn(found, () => ({
      act: { kind: 'extend', deadline },
      by: caller,
    }));
    return await showDecision(context, state, caller);
  };
