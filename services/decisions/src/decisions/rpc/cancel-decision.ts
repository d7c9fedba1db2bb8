import type { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { UnaryHandler } from '@hearth/rpc';
import { requireStarter } from '../../shared/actions/find-group.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { starterOf } from '../../shared/domain/starter.ts';
import { findVisible } from '../actions/find-visible.ts';
import { showDecision } from '../actions/show-decisions.ts';
import type { Context } from '../context.ts';

/** Cancels a decision for good. Repeated it answers the same. */
export const cancelDecision =
  (context: Context): UnaryHandler<typeof DecisionsService.method.cancelDecision> =>
  async ({ id }, { caller }) => {
    const found = await findVisible(context, id, caller);
    if (caller.id !== found.row.starter)
      await requireStarter(context, found.row.group, starterOf(found.row), viewerIdOf(caller));
    const state = await context.decisions.actOn(found, () => ({
      act: { kind: 'cancel', why: 'cancelled' },
      by: caller,
    }));
    return await showDecision(context, state, caller);
  };
