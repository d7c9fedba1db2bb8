import { allOf, type Db, fragment, named, sql, type Tx } from '@hearth/db';

export interface FeedbackRow {
  /** uuid */
  id: string;
  /** A FeedbackKind in lowercase. */
  kind: string;
  title: string;
  text: string;
  about: string;
  status: 'received' | 'read' | 'done';
  answer: string;
  /** ai, person or app. */
  byKind: string;
  byId: string;
  person: string | null;
  at: Date;
  answeredAt: Date | null;
}

const columns = fragment`
  id, kind, title, text, about, status, answer, by_kind as "byKind", by_id as "byId", person, at,
  answered_at as "answeredAt"`;

export async function insertFeedback(tx: Tx, row: FeedbackRow): Promise<void> {
  await tx.execute(named('identity_insert_feedback')`
    insert into identity.feedback (id, kind, title, text, about, status, by_kind, by_id, person, at)
    values (${row.id}, ${row.kind}, ${row.title}, ${row.text}, ${row.about}, ${row.status}, ${row.byKind},
      ${row.byId}, ${row.person}, ${row.at})`);
}

/** The feedback with this id, if this caller (kind and uuid) sent it. */
export async function findOwnFeedback(
  db: Db,
  id: string,
  sender: Pick<FeedbackRow, 'byKind' | 'byId'>,
): Promise<FeedbackRow | null> {
  return await db.maybeOne<FeedbackRow>(named('identity_find_own_feedback')`
    select ${columns} from identity.feedback where id = ${id} and by_kind = ${sender.byKind}
      and by_id = ${sender.byId}`);
}

/** Feedback for the operator, newest first. */
export async function listFeedback(
  db: Db,
  { status, kind }: { status: string | null; kind: string | null },
  before: { at: Date; id: string } | null,
  limit: number,
): Promise<FeedbackRow[]> {
  const asked = [
    status !== null && fragment`and status = ${status}`,
    kind !== null && fragment`and kind = ${kind}`,
    before !== null && fragment`and (at, id) < (${before.at}, ${before.id}::uuid)`,
  ];
  return await db.query<FeedbackRow>(sql`
    select ${columns} from identity.feedback where true ${allOf(asked)}
    order by at desc, id desc limit ${limit}`);
}

/** Locks the feedback until the end of `tx`. */
export async function lockFeedback(tx: Tx, id: string): Promise<FeedbackRow | null> {
  return await tx.maybeOne<FeedbackRow>(named('identity_lock_feedback')`
    select ${columns} from identity.feedback where id = ${id} for no key update`);
}

export async function updateAnswer(
  tx: Tx,
  { id, status, answer, answeredAt }: Pick<FeedbackRow, 'id' | 'status' | 'answer' | 'answeredAt'>,
): Promise<void> {
  await tx.execute(sql`
    update identity.feedback set status = ${status}, answer = ${answer}, answered_at = ${answeredAt}
    where id = ${id}`);
}
