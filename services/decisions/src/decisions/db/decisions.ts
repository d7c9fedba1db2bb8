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
  /** Whether the organizers were reminded to look again. */
  review_told: 'boolean',
} as const satisfies Columns<string> & Columns<Exclude<keyof Course, keyof typeof fixed>>;

export type DecisionRow = CourseRow & RowOf<typeof fixed & typeof changing, Course>;

/** A decision and its participants in order, from one snapshot. */
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
  // As text: the driver would lose a bigint's precision and turn a date into an instant.
  readAs: {
    number: 'd.number::text as number',
    review_on: `to_char(d.review_on, 'YYYY-MM-DD') as review_on`,
  },
  ended: ['agreed', 'cancelled'],
});

/** Start of the next day on which an outcome is due for review. */
export const nextReview = fragment`
  select min(review_on)::timestamp at time zone 'UTC' from decisions.decisions
  where review_on is not null and not review_told and status = 'agreed'`;

/** uuids of agreed decisions that are due for review; at most `limit`. */
export async function findReviews(db: Db, day: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(named('decisions_find_reviews')`
    select id from decisions.decisions
    where review_on <= ${day}::date and not review_told and status = 'agreed' limit ${limit}`);
  return rows.map(({ id }) => id);
}

/**
 * Replaces an AI's (uuid) name by its address in decisions it started up to `until` while this person (uuid)
 * owned it.
 */
export async function unnameStarter(
  tx: Tx,
  { ai, person, until }: { ai: string; person: string; until: Date },
): Promise<void> {
  await tx.execute(named('decisions_unname_starter')`
    update decisions.decisions set starter_name = starter_address
    where starter = ${ai} and started_at <= ${until} and id in (select item from decisions.seats where viewer = ${person} and kind = 'decision')`);
}
