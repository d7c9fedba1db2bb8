import { type Db, fragment, named, raw, type Tx } from '@hearth/db';
import type { Columns, RowOf } from '../../shared/db/columns.ts';
import { type CourseRow, courseColumns, startedColumns, type Whole } from '../../shared/db/thing-rows.ts';
import { createThingTable } from '../../shared/db/things.ts';
import type { Course, Planner } from '../domain/plan.ts';

const fixed = {
  ...startedColumns,
  place: 'text null',
  /** uuid of the organizers' approval; null if none is needed. */
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

export type PlanRow = CourseRow & RowOf<typeof fixed & typeof changing, Course>;

/** A plan and its people in order, from one snapshot. */
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
  // New stances are also added to the history.
  beside: `
    said as (
      insert into decisions.stances (plan, person, stances)
      select t.thing, t.person, t.data -> 'stances' from told t where (t.data ->> 'spoke')::boolean)`,
});

/** The uuid of the plan whose organizers are asked by this approval (uuid). */
export async function findByApproval(db: Db, approval: string): Promise<string | null> {
  const row = await db.maybeOne<{ id: string }>(named('plans_find_by_approval')`
    select id from decisions.plans where approval = ${approval}`);
  return row?.id ?? null;
}

/** When the grace period ends for the oldest plan whose organizers were not asked. */
export const nextUnasked = (graceMs: number) => fragment`
  select min(started_at) + interval '${raw(graceMs)} milliseconds' from decisions.plans
  where status = 'asked' and not approval_asked`;

/** The plans whose organizers were not asked yet; at most `limit`. */
export async function listUnasked(db: Db, before: Date, limit: number): Promise<WholePlan[]> {
  const where = `d.status = 'asked' and not d.approval_asked and d.started_at <= $1`;
  return await planTable.listWhere(db, 'list_unasked', where, [before], limit);
}

export async function noteAsked(tx: Tx, id: string): Promise<void> {
  await tx.execute(named('plans_note_asked')`
    update decisions.plans set approval_asked = true where id = ${id}`);
}
