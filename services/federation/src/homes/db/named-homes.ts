import { type Db, named } from '@hearth/db';

/** The log with a home that the operator named; `home` is null for all others combined. */
export interface NamedLog {
  home: string | null;
  unsent: number;
  failingSince: Date | null;
}

/** @param most the most homes by name, in alphabetical order */
export async function listNamedLogs(db: Db, most: number): Promise<NamedLog[]> {
  return await db.query<NamedLog>(named('federation_list_named_logs')`
    with named as (select home from federation.homes where policy is not null order by home limit ${most}),
    logs as (
      select n.home, coalesce(l.last_seq - l.settled_seq, 0) as unsent, l.failing_since
      from (select home from federation.logs union select home from named) a
      left join named n on n.home = a.home left join federation.logs l on l.home = a.home)
    select home, sum(unsent)::int as unsent, min(failing_since) as "failingSince" from logs group by home order by home`);
}
