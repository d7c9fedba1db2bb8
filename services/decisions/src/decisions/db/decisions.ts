import { type Db, fragment, named, type Tx } from '@hearth/db';
import type { Columns, RowOf } from '../../shared/db/columns.ts';
import { type CourseRow, courseColumns, startedColumns, type Whole } from '../../shared/db/thing-rows.ts';
import { createThingTable } from '../../shared/db/things.ts';
import type { Course, Participant } from '../domain/decision.ts';

/** The number is read as text. */
const fixed = { ...startedColumns, number: 'bigint', questions: 'jsonb', needs: 'text' } as const;

const changing = {
  ...courseColumns,
  why: 'text null',
  opened_at: 'timestamptz',
  closing_told: 'boolean',
  proposal: 'jsonb null',
  clash: 'jsonb null',
  reminded_at: 'timestamptz null',
  /** YYYY-MM-DD */
  review_on: 'date null',
  /** Whether the organizers were told to look again. */
  review_told: 'boolean',
} as const satisfies Columns<string> & Columns<Exclude<keyof Course, keyof typeof fixed>>;

/** The row of a decision. */
export type DecisionRow = CourseRow & RowOf<typeof fixed & typeof changing, Course>;

/** A decision with its people in their order, both as of the same moment. */
export type WholeDecision = Whole<DecisionRow, Participant>;

export const decisionTable = createThingTable<DecisionRow, Participant>({
  kind: 'decision',
  table: 'decisions.decisions',
  peopleTable: 'decisions.participants',
  key: 'decision',
  reference: 'number',
  fixed,
  changing,
  said: { answers: 'jsonb', approval: 'jsonb', pick: 'text' },
  // As text: a bigint, and a day, which the driver would take for a moment.
  readAs: {
    number: 'd.number::text as number',
    review_on: `to_char(d.review_on, 'YYYY-MM-DD') as review_on`,
  },
  ended: ['agreed', 'cancelled'],
});

/** The beginning of the next day on which an outcome is to be looked at again. */
export const nextReview = fragment`
  select min(review_on)::timestamp at time zone 'UTC' from decisions.decisions
  where review_on is not null and not review_told and status = 'agreed'`;

/** uuids of agreed decisions whose day of review has come: at most `limit`. */
export async function findReviews(db: Db, day: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(named('decisions_find_reviews')`
    select id from decisions.decisions
    where review_on <= ${day}::date and not review_told and status = 'agreed' limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** Puts the address of an AI (uuid) in the place of its name, in what it started until then while this person (uuid) owned it. */
export async function unnameStarter(
  tx: Tx,
  { ai, person, until }: { ai: string; person: string; until: Date },
): Promise<void> {
  await tx.execute(named('decisions_unname_starter')`
    update decisions.decisions set starter_name = starter_address
    where starter = ${ai} and started_at <= ${until} and id in (select item from decisions.seats where viewer = ${person} and kind = 'decision')`);
}
