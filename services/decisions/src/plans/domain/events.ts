import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Announcement } from '@hearth/outbox';
import type { PlanSettledSchema, PlanSnapshotSchema } from '@hearth/proto/events/v1/events';
import type { Caller } from '@hearth/rpc';
import { type Awaited, newlyAwaited, wordOf } from '../../shared/domain/awaited.ts';
import { needsOf } from '../../shared/domain/needs.ts';
import { groupIn, viewersHere } from '../../shared/domain/seated.ts';
import { topicsOf } from '../../shared/domain/topics.ts';
import type { PlanRow, WholePlan } from '../db/plans.ts';
import { type Act, asksApproval } from './machine.ts';
import { askedOf, awaited, type Planner, settlersOf, waitingOn } from './plan.ts';
import { seatsOf } from './seats.ts';
import { courseOf } from './state.ts';

export type What =
  | 'proposed'
  | 'option_added'
  | 'extended'
  | 'approve'
  | 'clash'
  | 'settle'
  | 'reminded'
  | 'cancelled';

/** Stages that address AIs; the others address people. */
const forAis: ReadonlySet<What> = new Set(['proposed', 'option_added']);

/** The news of a change; null if there is none, or if the plan was settled (announced later with the signed record). */
export function whatOf({ kind }: Act, before: WholePlan, after: WholePlan): What | null {
  if (kind === 'begin' && after.row.status === 'open') return 'proposed';
  if (kind === 'add') return 'option_added';
  if (kind === 'extend') return 'extended';
  const [was, is] = [before.row, after.row];
  if (is.status === 'cancelled') return was.status === 'open' ? 'cancelled' : null;
  if (is.status !== 'open') return null;
  if (was.clash_at === null && is.clash_at !== null) return 'clash';
  if (!was.settle_asked && is.settle_asked) return 'settle';
  return asksApproval(courseOf(before), courseOf(after)) ? 'approve' : null;
}

/** uuids of the people the plan newly waits for. */
export function newlyAsked(before: WholePlan, after: WholePlan): string[] {
  if (before.row.status !== 'open' || after.row.status !== 'open') return [];
  const of = (whole: WholePlan) => awaited(courseOf(whole), whole.row.starter_person);
  return newlyAwaited(of(before), of(after));
}

export interface PlanNews {
  what: What;
  /** Limits notices to these people (uuids), for themselves or for a child; the others already know. */
  only?: readonly string[] | undefined;
  note?: string | undefined;
  by?: Caller | undefined;
}

export function planChanged(whole: WholePlan, { what, only, note = '', by }: PlanNews): Announcement {
  const { row } = whole;
  const needs = needsOf(row, toldAt(whole, what)).filter(({ person }) => only?.includes(person) !== false);
  const viewers = viewersHere(whole.people, seatsOf(whole));
  const value = {
    plan: snapshotOf(row),
    what,
    why: row.why ?? '',
    note,
    viewers,
    needs,
    wakes: forAis.has(what) ? needs.map(({ person }) => person) : [],
  };
  return { data: { case: 'planChanged', value }, topics: topicsOf('plan', whole.row.id, viewers), by };
}

/** The people to notify at a stage. */
function toldAt(whole: WholePlan, what: What): readonly Awaited<Planner>[] {
  const { row } = whole;
  switch (what) {
    case 'extended':
      return [];
    case 'settle':
      return settlersOf(whole, row.starter_person);
    case 'approve':
      return waitingOn(courseOf(whole)).map(wordOf);
    case 'reminded':
      return awaited(courseOf(whole), row.starter_person);
    default:
      return askedOf(whole).map(wordOf);
  }
}

export function planSettled(
  whole: WholePlan,
  outcome: Omit<MessageInitShape<typeof PlanSettledSchema>, 'plan' | 'viewers' | '$typeName'>,
  by: Caller | undefined,
): Announcement {
  const viewers = viewersHere(whole.people, seatsOf(whole));
  const value = { ...outcome, plan: snapshotOf(whole.row), viewers };
  return { data: { case: 'planSettled', value }, topics: topicsOf('plan', whole.row.id, viewers), by };
}

function snapshotOf(row: PlanRow): MessageInitShape<typeof PlanSnapshotSchema> {
  const { id, title, options, hidden_from } = row;
  return { id, title, group: groupIn(row), options: options.length, hiddenFrom: hidden_from ?? '' };
}
