import { DecisionStatus, DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import { PlanStatus, PlansService } from '@hearth/proto/decisions/v1/plans';
import { type Group, Plans } from '@hearth/proto/groups/v1/groups';
import type { Caller } from '@hearth/rpc';
import { type Course, type Frame, paths } from '@hearth/web';
import { type Context, ifThere, msOf } from '../pages/module.ts';

/** How many of the newest of each kind are searched. */
const newestCourses = 100;

const endOfDecision: Partial<Record<DecisionStatus, Course['state']>> = {
  [DecisionStatus.AGREED]: 'agreed',
  [DecisionStatus.CANCELLED]: 'cancelled',
};
const endOfPlan: Partial<Record<PlanStatus, Course['state']>> = {
  [PlanStatus.SETTLED]: 'settled',
  [PlanStatus.CANCELLED]: 'cancelled',
};

/** A group's decisions and plans, open or past, latest first. Undefined while their service is unavailable. */
export async function findCourses(
  { ask }: Pick<Context, 'ask'>,
  group: string,
  person: Caller,
  over = false,
): Promise<readonly Course[] | undefined> {
  const wanted = { group, limit: newestCourses };
  const [decided, planned] = await Promise.all([
    ifThere(ask(DecisionsService.method.listDecisions, wanted, person)),
    ifThere(
      ask(PlansService.method.listPlans, { ...wanted, ...(!over && { status: PlanStatus.OPEN }) }, person),
    ),
  ]);
  if (decided === undefined || planned === undefined) return undefined;
  const decisions = decided.decisions.map(({ id, title, status, settledAt }) => ({
    ...{ kind: 'decision' as const, title, href: paths.decision(id), state: endOfDecision[status] },
    atMs: msOf(settledAt) ?? 0,
  }));
  const plans = planned.plans.map(({ id, title, status, settledAt }) => ({
    ...{ kind: 'plan' as const, title, href: paths.plan(id), state: endOfPlan[status ?? 0] },
    atMs: msOf(settledAt) ?? 0,
  }));
  const found = [...decisions, ...plans].filter(({ state }) => (state !== undefined) === over);
  return over ? found.sort((one, other) => other.atMs - one.atMs) : found;
}

/** The kinds that the viewer may start in a group; none in a remote group, because that happens at its own home. */
export function begunBy({ address, archived, settings }: Group, { person }: Frame): Course['kind'][] {
  if (archived || person?.minor || address.includes('@')) return [];
  return [
    ...(settings?.plans === Plans.NEVER ? [] : (['plan'] as const)),
    ...(settings?.groupAi === false ? [] : (['decision'] as const)),
  ];
}
