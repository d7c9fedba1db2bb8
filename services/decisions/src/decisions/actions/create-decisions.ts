import { sizeOf } from '@hearth/limits';
import type { Caller } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import { createThings, type Things } from '../../shared/actions/create-things.ts';
import { newlyAwaited } from '../../shared/domain/awaited.ts';
import { type RemoteAct, withAct } from '../../shared/domain/member.ts';
import { type DecisionRow, decisionTable } from '../db/decisions.ts';
import { awaited, type Participant } from '../domain/decision.ts';
import { type DecisionNews, decisionChanged, type What } from '../domain/events.ts';
import { type Act, next, type Terms } from '../domain/machine.ts';
import { seatsOf } from '../domain/seats.ts';
import { courseOf, nextDue, withCourse } from '../domain/state.ts';

/** An act and its context. */
interface Acted extends Pick<DecisionNews, 'represented' | 'note'> {
  act: Act;
  by?: Caller | undefined;
  /** The remote act that caused it. */
  said?: RemoteAct | undefined;
  /** The day to look at the outcome again. */
  reviewOn?: string | undefined;
}

/** Notifies the people the decision waits for, and notes that in the row. */
interface Noted {
  tells: What;
  notes: Partial<DecisionRow>;
  by?: Caller | undefined;
}

export type Change = Acted | Noted;

export type Decisions = Things<DecisionRow, Participant, Change>;

export function createDecisions(parts: HostParts<'outbox'>): Decisions {
  const { clock, ids, limits } = parts;
  const terms: Terms = {
    clash: sizeOf(limits, 'decision_clash_seconds') * 1_000,
    object: sizeOf(limits, 'decision_object_seconds') * 1_000,
  };
  return createThings<DecisionRow, Participant, Change>(parts, decisionTable, {
    next(before, change) {
      const course = courseOf(before);
      if ('tells' in change) {
        const row = { ...before.row, ...change.notes };
        return { row: { ...row, due_at: nextDue(row, course) }, people: before.people };
      }
      const { act, reviewOn, said } = change;
      const now = clock.now();
      const after = next(course, act, now, terms);
      if (after === course) return before;
      const changed = withCourse(before, after, ids.uuid());
      const begins = act.kind === 'reopen' || act.kind === 'extend';
      const row: DecisionRow = {
        ...changed.row,
        ...(begins && { opened_at: new Date(now), closing_told: false }),
        ...(reviewOn !== undefined && { review_on: reviewOn }),
      };
      const people = said === undefined ? changed.people : withAct(changed.people, spokeIn(act), said);
      return { row: { ...row, due_at: nextDue(row, after) }, people };
    },
    seatsOf,
    newsOf(before, after, change) {
      if ('tells' in change) return decisionChanged(after, { what: change.tells, by: change.by });
      const { act, by, note, represented } = change;
      const what = whatOf(act, before.row, after.row);
      if (what !== null) return decisionChanged(after, { what, represented, note: note ?? '', by });
      const only = newlyAwaited(awaited(courseOf(before)), awaited(courseOf(after)));
      const stage = after.row.status === 'clash' ? 'clash' : 'reminded';
      return only.length === 0 ? null : decisionChanged(after, { what: stage, only, by });
    },
  });
}

/**
 * The news of a change; null if there is none, or if the decision was agreed (announced later with the signed
 * record).
 */
function whatOf({ kind }: Act, before: DecisionRow, after: DecisionRow): What | null {
  if (kind === 'extend') return 'extended';
  if (kind === 'reopen') return 'reopened';
  const { status, proposal } = after;
  const same = status === before.status && proposal?.version === before.proposal?.version;
  return same || status === 'open' || status === 'agreed' ? null : status;
}

/** uuids of the people on whose behalf the act speaks. */
function spokeIn(act: Act): readonly string[] {
  return act.kind === 'answer' || act.kind === 'approve' || act.kind === 'pick' ? act.people : [];
}
