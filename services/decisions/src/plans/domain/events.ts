import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Announcement } from '@hearth/outbox';
import type { PlanSettledSchema, PlanSnapshotSchema } from '@hearth/proto/events/v1/events';
import type { Caller } from '@hearth/rpc';
import { needsOf } from '../../shared/domain/needs.ts';
import { groupIn, viewersHere } from '../../shared/domain/seated.ts';
import { topicsOf } from '../../shared/domain/topics.ts';
import type { PlanRow, WholePlan } from '../db/plans.ts';
import { type Act, asksApproval } from './machine.ts';
import { askedOf, type Planner, waitingOn } from './plan.ts';
import { seatsOf } from './seats.ts';
import { courseOf } from './state.ts';

export type What = 'proposed' | 'option_added' | 'extended' | 'approve' | 'clash' | 'settle' | 'cancelled';

/** The stages at which AIs are asked; at the others people are. */
const forAis: ReadonlySet<What> = new Set(['proposed', 'option_added']);

/** The news of a change; null where there is none, and for a settled one, which is told once its record is signed. */
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

export interface Told {
  what: What;
  note?: string | undefined;
  by?: Caller | undefined;
}

export function planChanged(whole: WholePlan, { what, note = '', by }: Told): Announcement {
  const { row } = whole;
  const needs = needsOf(row, toldAt(whole, what));
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

/** The people of a plan who are told at a stage. */
function toldAt(whole: WholePlan, what: What): readonly Planner[] {
  const { row, people } = whole;
  switch (what) {
    case 'extended':
      return [];
    case 'settle': {
      const organizers = people.filter(({ organizer }) => organizer);
      return organizers.length > 0
        ? organizers
        : people.filter(({ person }) => person === row.starter_person);
    }
    case 'approve':
      return waitingOn(courseOf(whole));
    default:
      return askedOf(whole);
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
