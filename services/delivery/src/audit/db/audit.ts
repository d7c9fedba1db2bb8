import { allOf, type Db, fragment, named, sql, type Tx } from '@hearth/db';

export interface AuditRow {
  /** uuid */
  event: string;
  at: Date;
  action: string;
  byOperator: boolean;
  /** Address of the operator's account; empty if they used the operator key. */
  operator: string;
  about: string;
  summary: string;
  reason: string;
}

/** Existing entries stay unchanged. */
export async function insertAudit(tx: Tx, rows: readonly AuditRow[]): Promise<void> {
  await tx.execute(named('delivery_insert_audit')`
    insert into delivery.audit (event, at, action, by_operator, operator, about, summary, reason)
    select event, at, action, "byOperator", operator, about, summary, reason
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (
      event uuid, at timestamptz, action text, "byOperator" boolean, operator text, about text, summary text, reason text)
    on conflict do nothing`);
}

export interface AuditQuery {
  action: string | null;
  about: string | null;
  since: Date | null;
  before: { at: Date; event: string } | null;
  limit: number;
}

/** Newest first. */
export async function listAudit(db: Db, query: AuditQuery): Promise<AuditRow[]> {
  const { action, about, since, before, limit } = query;
  const asked = [
    action !== null && fragment`and action = ${action}`,
    about !== null && fragment`and about = ${about}`,
    since !== null && fragment`and at >= ${since}`,
    before !== null && fragment`and (at, event) < (${before.at}, ${before.event}::uuid)`,
  ];
  return await db.query<AuditRow>(sql`
    select event, at, action, by_operator as "byOperator", operator, about, summary, reason
    from delivery.audit where true ${allOf(asked)}
    order by at desc, event desc limit ${limit}`);
}

/** Deletes at most `limit` entries older than `before`. Returns how many. */
export async function deleteAuditBefore(tx: Tx, before: Date, limit: number): Promise<number> {
  return await tx.execute(sql`
    delete from delivery.audit
    where event in (select event from delivery.audit where at < ${before} limit ${limit} for update skip locked)`);
}
