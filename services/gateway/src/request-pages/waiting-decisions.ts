import { DecisionStatus, DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { Caller } from '@hearth/rpc';
import { paths, type WaitingDecision } from '@hearth/web';
import { type Context, ifThere, msOf } from '../pages/module.ts';

const shownDecisions = 50;

/**
 * The decisions and plans that wait for the person's answer, newest first; undefined while their service is
 * unavailable.
 */
export async function listWaitingDecisions(
  { ask }: Context,
  person: Caller,
): Promise<WaitingDecision[] | undefined> {
  const wanted = { waitingOn: 'me', limit: shownDecisions };
  const [decided, planned] = await Promise.all([
    ifThere(ask(DecisionsService.method.listDecisions, wanted, person)),
    ifThere(ask(PlansService.method.listPlans, wanted, person)),
  ]);
  if (decided === undefined || planned === undefined) return undefined;
  const decisions = decided.decisions.map(({ id, title, group, status, deadline, clash, at }) => ({
    title,
    groupName: group?.name,
    waitsFor: waits[status] ?? 'answer',
    endsAtMs: msOf(
      status === DecisionStatus.OPEN ? deadline : status === DecisionStatus.CLASH ? clash?.until : undefined,
    ),
    href: paths.decision(id),
    atMs: msOf(at) ?? 0,
  }));
  const plans = planned.plans.map(({ id, title, groupName, clashAt, deadline, createdAt }) => ({
    title,
    groupName,
    waitsFor: clashAt === undefined ? ('stance' as const) : ('pick' as const),
    endsAtMs: clashAt === undefined ? msOf(deadline) : undefined,
    href: paths.plan(id),
    atMs: msOf(createdAt) ?? 0,
  }));
  return [...decisions, ...plans].sort((one, other) => other.atMs - one.atMs);
}

const waits: Partial<Record<DecisionStatus, WaitingDecision['waitsFor']>> = {
  [DecisionStatus.CLASH]: 'pick',
  [DecisionStatus.PROPOSED]: 'approval',
  [DecisionStatus.REVIEW]: 'review',
};
