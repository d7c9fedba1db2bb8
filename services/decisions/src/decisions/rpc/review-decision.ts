import { isDay } from '@hearth/calendar';
import { badField } from '@hearth/errors';
import type { DecisionsService, ReviewDecisionRequest } from '@hearth/proto/decisions/v1/decisions';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { deadlineOf } from '../../shared/actions/deadline.ts';
import { requireOrganizer } from '../../shared/actions/find-group.ts';
import { findRepresented } from '../../shared/actions/find-represented.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { endOfDay, requireAhead } from '../../shared/domain/read-time.ts';
import { course } from '../actions/course.ts';
import type { Change } from '../actions/create-decisions.ts';
import { readEdit } from '../actions/read-edit.ts';
import type { Context } from '../context.ts';
import type { WholeDecision } from '../db/decisions.ts';
import { broughtBy } from '../domain/brought.ts';
import { reviewActions } from '../domain/enum-names.ts';
import { courseOf } from '../domain/state.ts';

/** Default time to answer reopened questions, in hours. */
const usualHours = 24;

/** Settles a decision in review. */
export const reviewDecision =
  (context: Context): UnaryHandler<typeof DecisionsService.method.reviewDecision> =>
  async (request, { caller }) => {
    const found = await course.findVisible(context, request.id, caller);
    await requireOrganizer(context, found.row.group, viewerIdOf(caller));
    if (request.reviewOn !== undefined) {
      if (!isDay(request.reviewOn)) throw badField('review_on', 'must be a day that there is, as YYYY-MM-DD');
      requireAhead(endOfDay(request.reviewOn), context.clock.now(), 'review_on');
    }
    const change = await readChange(context, found, request, caller);
    const { note } = request;
    return await course.change(context, found, caller, (whole) => ({
      ...change(whole),
      ...(note !== undefined && { note }),
    }));
  };

/** The change, to apply to the decision's state at that time. */
async function readChange(
  context: Context,
  found: WholeDecision,
  request: ReviewDecisionRequest,
  caller: Caller,
): Promise<(whole: WholeDecision) => Change> {
  const { reviewOn } = request;
  switch (reviewActions.nameOf(request.action)) {
    case 'accept':
      return () => ({ act: { kind: 'accept' }, reviewOn });
    case 'edit': {
      const edit = await readEdit(context, found, request, caller);
      return (whole) => ({
        act: { kind: 'edit', brought: broughtBy(courseOf(whole), edit, viewerIdOf(caller)) },
        reviewOn,
      });
    }
    case 'reopen': {
      const deadline = deadlineOf(
        context,
        request.deadlineHours ?? usualHours,
        'decision_deadline_least_seconds',
      ).getTime();
      const represented = await findRepresented(context, found.people);
      return () => ({ act: { kind: 'reopen', deadline }, represented });
    }
    case 'cancel':
      return () => ({ act: { kind: 'cancel', why: 'cancelled' } });
    default:
      throw badField('action', 'must be accept, edit, reopen or cancel');
  }
}
