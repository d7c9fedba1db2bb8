import { badField, forbidden, notFound } from '@hearth/errors';
import type { Claim } from '@hearth/idempotency';
import { sizeOf } from '@hearth/limits';
import { PlansService, type ProposePlanRequest } from '@hearth/proto/decisions/v1/plans';
import type { GroupFacts } from '@hearth/proto/groups/v1/groups';
import { Plans } from '@hearth/proto/groups/v1/groups';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { beginCourse } from '../../shared/actions/begin-course.ts';
import { deadlineOf } from '../../shared/actions/deadline.ts';
import { findGroup } from '../../shared/actions/find-group.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { starterOf } from '../../shared/domain/starter.ts';
import { zoneFor } from '../../shared/domain/zone.ts';
import { advance } from '../actions/advance.ts';
import { askOrganizers } from '../actions/ask-organizers.ts';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';
import type { PlanRow, WholePlan } from '../db/plans.ts';
import { planChanged } from '../domain/events.ts';
import { dueAt } from '../domain/machine.ts';
import { newPlanner } from '../domain/plan.ts';
import { readOptions } from '../domain/read-options.ts';
import { courseOf } from '../domain/state.ts';

const usualHours = 48;

/** Proposes a plan to a group; asks its organizers first if the group's settings say so. */
export const proposePlan =
  (context: Context): UnaryHandler<typeof PlansService.method.proposePlan> =>
  async (request, call) =>
    await context.idempotency.once(call, PlansService.method.proposePlan, request, {
      make: (claim) => make(context, request, call, claim),
      async repeat({ id }) {
        const made = await context.things.find(id);
        // Meanwhile, the AI that proposed it may belong to a person it is hidden from.
        const theirs = made !== null && starterOf(made.row) === viewerIdOf(call.caller);
        if (made === null || !theirs) throw notFound();
        return await course.show(context, await advance(context, made), call.caller);
      },
    });

async function make(context: Context, request: ProposePlanRequest, call: Call, claim: Claim<{ id: string }>) {
  const { caller } = call;
  const proposed = await read(context, request, call);
  const begins = proposed.row.status === 'open';
  const event = begins ? planChanged(proposed, { what: 'proposed', by: caller }) : null;
  await context.things.insert(proposed, event, request.requestId === undefined ? null : claim);
  if (!begins) {
    await askOrganizers(context, proposed);
    call.answerWith(202);
  }
  return await course.show(context, proposed, caller);
}

async function read(context: Context, request: ProposePlanRequest, call: Call): Promise<WholePlan> {
  const { clock, ids } = context;
  const found = await findGroup(context, request.group, call, sizeOf(context.limits, 'group_members'));
  const { group } = found;
  const asks = mustAsk(group);
  const zone = zoneFor(request.timeZone, group);
  const now = clock.now();
  const options = readOptions(request.options, zone, now);
  const deadline = deadlineOf(context, request.deadlineHours ?? usualHours, 'plan_deadline_least_seconds');
  const { people: members, columns } = await beginCourse(context, request, found, call);
  if (asks && !members.some(({ organizer }) => organizer))
    throw badField('hidden_from', 'is the only organizer, who is asked about plans in this group');
  const people = members.map(newPlanner);
  const row: PlanRow = {
    ...columns,
    id: ids.uuid(),
    place: request.where ?? null,
    options,
    time_zone: zone,
    status: asks ? 'asked' : 'open',
    why: null,
    reason: null,
    approval: asks ? ids.uuid() : null,
    started_at: new Date(now),
    deadline_at: deadline,
    clash_at: null,
    settle_asked: false,
    settled_option: null,
    due_at: null,
  };
  const due = dueAt(courseOf({ row, people }));
  return { row: { ...row, due_at: due === null ? null : new Date(due) }, people };
}

/** Whether organizers must approve plans first. @throws forbidden (plans_off) if the group takes none */
function mustAsk({ settings }: GroupFacts): boolean {
  if (settings?.plans === Plans.NEVER)
    throw forbidden('this group takes no plans; an organizer can change that in its settings', {
      code: 'plans_off',
    });
  return settings?.plans === Plans.ASK;
}
