import { type Db, fragment, named, type Tx } from '@hearth/db';
import { placeValues } from '@hearth/paging';
import type { NewReport } from '../domain/reports.ts';

export interface ReportRow {
  id: string;
  /** A msg_, pst_, apr_ or grp_ id, or an address, as given. */
  about: string;
  reason: string;
  text: string;
  /** ai, person or app; anonymous for the recipient of an email. */
  byKind: string;
  byId: string;
  byAddress: string;
  /**
   * The author of the reported text: an ai_ or per_ id, or an address on another home; empty if an address or
   * a group is reported.
   */
  author: string;
  at: Date;
  resolvedAt: Date | null;
  resolution: string | null;
  /** 0 for child safety, which is sorted first. */
  rank: number;
}

const columns = fragment`
  id, about, reason, text, by_kind as "byKind", by_id as "byId", by_address as "byAddress", author, at,
  resolved_at as "resolvedAt", resolution, rank`;

/** Returns false if the report exists. */
export async function insertReport(tx: Tx, report: NewReport): Promise<boolean> {
  const count = await tx.execute(named('approvals_insert_report')`
    insert into approvals.reports (id, about, reason, text, by_kind, by_id, by_address, author, at)
    values (${report.id}, ${report.about}, ${report.reason}, ${report.text}, ${report.byKind}, ${report.byId},
      ${report.byAddress}, ${report.author}, ${report.at}) on conflict (id) do nothing`);
  return count > 0;
}

/** Child safety first, then newest first; only open reports, or all. */
export async function listReports(
  db: Db,
  options: { resolved: boolean; after: Pick<ReportRow, 'rank' | 'at' | 'id'> | null; limit: number },
): Promise<ReportRow[]> {
  const { resolved, after, limit } = options;
  return await db.query<ReportRow>({
    name: `approvals_list_reports_${resolved ? 'all' : 'open'}`,
    text: `
      select found.*
      from unnest(array[0, 1]::smallint[]) as k (rank)
      cross join lateral (
        select ${columns} from approvals.reports r
        where r.rank = k.rank ${resolved ? '' : 'and r.resolved_at is null'}
          and (r.at, r.id) < (case when k.rank = $1::bigint then $2::timestamptz else 'infinity' end, $3::uuid)
        order by r.at desc, r.id desc limit $4) found
      where k.rank >= $1::bigint
      order by found.rank, found.at desc, found.id desc limit $4`,
    values: [after?.rank ?? 0, ...placeValues(after), limit],
  });
}

/** Locks the report until `tx` ends. */
export async function lockReport(tx: Tx, id: string): Promise<ReportRow | null> {
  return await tx.maybeOne<ReportRow>(named('approvals_lock_report')`
    select ${columns} from approvals.reports where id = ${id} for update`);
}

export async function resolveReport(tx: Tx, id: string, resolution: string, at: Date): Promise<void> {
  await tx.execute(named('approvals_resolve_report')`
    update approvals.reports set resolved_at = ${at}, resolution = ${resolution} where id = ${id}`);
}
