import { type Db, fragment, named, raw, type Tx } from '@hearth/db';
import type { Columns, RowOf } from '../../shared/db/columns.ts';
import { type CourseRow, courseColumns, startedColumns, type Whole } from '../../shared/db/thing-rows.ts';
import { createThingTable } from '../../shared/db/things.ts';
import type { Course, Planner } from '../domain/plan.ts';

const fixed = {
  ...startedColumns,
  place: 'text null',
  /** uuid of the approval that the organizers are asked for; null where they are not. */
  approval: 'uuid null',
} as const;

const changing = {
  ...courseColumns,
  why: 'text null',
  reason: 'text null',
  options: 'jsonb',
  clash_at: 'timestamptz null',
  settle_asked: 'boolean',
  settled_option: 'smallint null',
} as const satisfies Columns<string> & Columns<keyof Course>;

/** The row of a plan. */
export type PlanRow = CourseRow & RowOf<typeof fixed & typeof changing, Course>;

/** A plan with its people in their order, both as of the same moment. */
export type WholePlan = Whole<PlanRow, Planner>;

export const planTable = createThingTable<PlanRow, Planner>({
  kind: 'plan',
  table: 'decisions.plans',
  peopleTable: 'decisions.planners',
  key: 'plan',
  reference: 'id',
  fixed,
  changing,
  said: { stances: 'jsonb', choice: 'smallint' },
  ended: ['settled', 'cancelled'],
  // New words go to the history as well.
  beside: `
    said as (
      insert into decisions.stances (plan, person, stances)
      select t.thing, t.person, t.data -> 'stances' from told t where (t.data ->> 'spoke')::boolean)`,
});

/** The uuid of the plan that organizers are asked for by that approval (uuid). */
export async function findByApproval(db: Db, approval: string): Promise<string | null> {
  const row = await db.maybeOne<{ id: string }>(named('plans_find_by_approval')`
    select id from decisions.plans where approval = ${approval}`);
  return row?.id ?? null;
}

/** When a plan of which the organizers are not asked has had the time of its request. */
export const nextUnasked = (graceMs: number) => fragment`
  select min(started_at) + interval '${raw(graceMs)} milliseconds' from decisions.plans
  where status = 'asked' and not approval_asked`;

/** The plans for which the organizers are not asked yet: at most `limit`. */
export async function listUnasked(db: Db, before: Date, limit: number): Promise<WholePlan[]> {
  const where = `d.status = 'asked' and not d.approval_asked and d.started_at <= $1`;
  return await planTable.listWhere(db, 'list_unasked', where, [before], limit);
}

export async function noteAsked(tx: Tx, id: string): Promise<void> {
  await tx.execute(named('plans_note_asked')`
    update decisions.plans set approval_asked = true where id = ${id}`);
}
