import { type Db, fragment, named } from '@hearth/db';
import { type ApprovalRow, approvalColumns } from './approvals.ts';
import { type RecipientRow, recipientColumns } from './recipients.ts';

/** An approval with its recipients in order, read at the same moment. */
export interface WholeApproval {
  approval: ApprovalRow;
  recipients: RecipientRow[];
  /** Settled by the answer of a caller, whose response waits for the follow-up. */
  isAnswer?: boolean;
  /** The follow-up in another service isn't done yet. */
  isPending?: boolean;
}

/** A row of `wholeColumns`. */
export interface WholeRow extends ApprovalRow {
  recipients: RecipientJson[];
}

type Moment = 'passed_at' | 'asked_at' | 'answered_at' | 'no_due_at';

/** A recipient as Postgres prints it in JSON. */
type RecipientJson = Omit<RecipientRow, Moment | 'key_hash'> &
  Record<Moment, string | null> & { key_hash: string | null };

/** The columns of `approvals.approvals a`, with its recipients as JSON: one statement instead of two. */
export const wholeColumns = fragment`${approvalColumns}, (
  select coalesce(json_agg(named order by named.position), '[]')
  from (select ${recipientColumns} from approvals.recipients r where r.approval = a.id) named) as recipients`;

export function wholeOf({ recipients, ...approval }: WholeRow): WholeApproval {
  return { approval, recipients: recipients.map(recipientOf) };
}

const dateOf = (text: string | null) => (text === null ? null : new Date(text));

function recipientOf(json: RecipientJson): RecipientRow {
  return {
    ...json,
    passed_at: dateOf(json.passed_at),
    asked_at: new Date(json.asked_at as string),
    answered_at: dateOf(json.answered_at),
    no_due_at: dateOf(json.no_due_at),
    // Postgres writes bytes as \x and hex digits.
    key_hash: json.key_hash === null ? null : Buffer.from(json.key_hash.slice(2), 'hex'),
  };
}

/** uuid -> the approval; leaves out unknown ones. */
export async function findWholes(db: Db, ids: readonly string[]): Promise<Map<string, WholeApproval>> {
  const rows = await db.query<WholeRow>(named('approvals_find_wholes')`
    select ${wholeColumns} from approvals.approvals a where a.id = any(${ids}::uuid[])`);
  return new Map(rows.map((row) => [row.id, wholeOf(row)]));
}

/** The ask that was made with this request_id, however long ago. */
export async function findRequested(db: Db, scope: string, requestId: string): Promise<WholeApproval | null> {
  const row = await db.maybeOne<WholeRow>(named('approvals_find_requested')`
    select ${wholeColumns} from approvals.approvals a
    where a.request_scope = ${scope} and a.request_id = ${requestId}`);
  return row === null ? null : wholeOf(row);
}
