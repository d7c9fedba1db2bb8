import type { Caller } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import { createThings, type Things } from '../../shared/actions/create-things.ts';
import { type RemoteAct, withAct } from '../../shared/domain/member.ts';
import { type PlanRow, planTable } from '../db/plans.ts';
import { newlyAsked, planChanged, whatOf } from '../domain/events.ts';
import { type Act, next } from '../domain/machine.ts';
import type { Planner } from '../domain/plan.ts';
import { seatsOf } from '../domain/seats.ts';
import { courseOf, withCourse } from '../domain/state.ts';

/** An act and its context. */
export interface Change {
  act: Act;
  by?: Caller | undefined;
  /** The remote act that caused it. */
  said?: RemoteAct | undefined;
  note?: string | undefined;
}

export type Plans = Things<PlanRow, Planner, Change>;

export function createPlans(parts: HostParts<'outbox'>): Plans {
  const { clock, ids } = parts;
  return createThings<PlanRow, Planner, Change>(parts, planTable, {
    next(before, { act, said }) {
      const course = courseOf(before);
      const after = next(course, act, clock.now());
      if (after === course) return before;
      const changed = withCourse(before, after, ids.uuid());
      const speaks = act.kind === 'stance' || act.kind === 'choose';
      if (said === undefined || !speaks) return changed;
      return { ...changed, people: withAct(changed.people, act.people, said) };
    },
    seatsOf,
    newsOf(before, after, { act, by, note }) {
      const what = whatOf(act, before, after);
      if (what !== null) return planChanged(after, { what, note, by });
      // A person who changes their answer may make the plan wait for others again; notify only those others.
      const only = newlyAsked(before, after).filter((person) => person !== by?.id);
      return only.length === 0 ? null : planChanged(after, { what: 'reminded', only });
    },
    spokeOf: ({ act }) => (act.kind === 'stance' ? act.people : []),
  });
}
