import { forbidden, notFound } from '@hearth/errors';
import type { Claim } from '@hearth/idempotency';
import { sizeOf } from '@hearth/limits';
import { type DecideRequest, DecisionNeeds, DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { GroupFacts } from '@hearth/proto/groups/v1/groups';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { beginCourse } from '../../shared/actions/begin-course.ts';
import { deadlineOf } from '../../shared/actions/deadline.ts';
import { findGroup } from '../../shared/actions/find-group.ts';
import { findRepresented } from '../../shared/actions/find-represented.ts';
import { zoneFor } from '../../shared/domain/zone.ts';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';
import type { DecisionRow, WholeDecision } from '../db/decisions.ts';
import { type Needs, newParticipant } from '../domain/decision.ts';
import { needs } from '../domain/enum-names.ts';
import { decisionChanged } from '../domain/events.ts';
import { numberOf } from '../domain/number.ts';
import { readQuestions } from '../domain/read-questions.ts';
import { courseOf, nextDue } from '../domain/state.ts';

const usualHours = 24;

/** Starts a decision in a group. */
export const decide =
  (context: Context): UnaryHandler<typeof DecisionsService.method.decide> =>
  async (request, call) =>
    await context.idempotency.once(call, DecisionsService.method.decide, request, {
      make: (claim) => make(context, request, call, claim),
      async repeat({ id }) {
        // Meanwhile, the AI that started it may belong to a person it is hidden from.
        const made = await context.things.find(id);
        if (made === null) throw notFound();
        const found = await course.findVisible(context, made.row.number, call.caller);
        return await course.show(context, found, call.caller);
      },
    });

async function make(context: Context, request: DecideRequest, call: Call, claim: Claim<{ id: string }>) {
  const { caller } = call;
  const started = await read(context, request, call);
  const represented = await findRepresented(context, started.people);
  const event = decisionChanged(started, { what: 'started', represented, by: caller });
  await context.things.insert(started, event, request.requestId === undefined ? null : claim);
  return await course.show(context, started, caller);
}

async function read(context: Context, request: DecideRequest, call: Call): Promise<WholeDecision> {
  const { clock, ids } = context;
  const found = await findGroup(context, request.group, call, sizeOf(context.limits, 'group_members'));
  const { group } = found;
  requireDecides(group);
  const zone = zoneFor(request.timeZone, group);
  const now = new Date(clock.now());
  const questions = readQuestions(request.questions, zone, now.getTime());
  const deadline = deadlineOf(
    context,
    request.deadlineHours ?? usualHours,
    'decision_deadline_least_seconds',
  );
  const { people: members, columns } = await beginCourse(context, request, found, call);
  const people = members.map(newParticipant);
  const id = ids.uuid();
  const row: DecisionRow = {
    ...columns,
    id,
    number: numberOf(id),
    questions,
    time_zone: questions.some(({ kind }) => kind === 'when') ? zone : null,
    needs: readNeeds(request.needs),
    status: 'open',
    why: null,
    started_at: now,
    opened_at: now,
    deadline_at: deadline,
    closing_told: false,
    proposal: null,
    clash: null,
    due_at: null,
    reminded_at: null,
    review_on: null,
    review_told: false,
  };
  const whole = { row, people };
  return { row: { ...row, due_at: nextDue(row, courseOf(whole)) }, people };
}

/** @throws forbidden (plans_off) if the group doesn't let its AI run decisions */
function requireDecides(group: GroupFacts): void {
  if (group.settings?.groupAi === false)
    throw forbidden(
      'this group lets no group AI run decisions; an organizer can change that in its settings',
      { code: 'plans_off' },
    );
}

function readNeeds(given: DecisionNeeds | undefined): Needs {
  return (needs.nameOf(given ?? DecisionNeeds.ANSWERED) || 'answered') as Needs;
}
