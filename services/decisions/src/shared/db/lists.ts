import { type Db, type Fragment, named } from '@hearth/db';
import { mostOf, type PagePosition, placeValues } from '@hearth/paging';
import type { SeatedKind } from './seats.ts';

export interface ListedBy {
  /** uuid */
  viewer: string;
  status: string | null;
  waiting: boolean;
  /** uuid */
  group: string | null;
}

/** A table of things, and the columns to read from it as `d`. */
export interface Listed {
  kind: SeatedKind;
  table: string;
  columns: string | Fragment;
}

/** The rows where the viewer has a seat, newest first. */
export async function listSeated<Row>(
  db: Db,
  { kind, table, columns }: Listed,
  { viewer, status, waiting, group }: ListedBy,
  after: PagePosition | null,
  limit: number,
): Promise<Row[]> {
  const most = mostOf(limit);
  const values: unknown[] = [viewer, ...placeValues(after)];
  const where = [
    ...(waiting ? ['and s.waiting'] : []),
    ...(status === null ? [] : [`and s.status = $${values.push(status)}`]),
    ...(group === null ? [] : [`and s."group" = $${values.push(group)}::uuid`]),
  ];
  const by = [waiting && 'waiting', status !== null && 'status', group !== null && 'group'].filter(Boolean);
  const rows = await db.query<Row & object>({
    name: [kind, 'list', ...by, most].join('_'),
    text: `
      select ${columns}
      from (
        select s.item, s.started_at from decisions.seats s
        where s.viewer = $1 and s.kind = '${kind}' ${where.join(' ')} and (s.started_at, s.item) < ($2::timestamptz, $3::uuid)
        order by s.started_at desc, s.item desc limit ${most}) s
      join ${table} d on d.id = s.item
      order by s.started_at desc, s.item desc`,
    values,
  });
  return rows.slice(0, limit);
}

export interface WaitingCount {
  count: number;
  oldest: Date | null;
}

/**
 * The number of waiting things by kind, and when the oldest started.
 *
 * @param viewer uuid of the person
 * @param caller uuid of the caller; agreements are counted for the caller itself
 */
export async function countWaiting(
  db: Db,
  viewer: string,
  caller: string,
): Promise<Record<SeatedKind, WaitingCount>> {
  const rows = await db.query<WaitingCount & { kind: SeatedKind }>(named('seats_count_waiting')`
    select kind, count(*)::int as count, min(started_at) as oldest from decisions.seats
    where waiting and (viewer = ${viewer} and kind <> 'agreement' or viewer = ${caller}
      and kind = 'agreement') group by kind`);
  const of = (kind: SeatedKind) => rows.find((row) => row.kind === kind) ?? { count: 0, oldest: null };
  return { decision: of('decision'), plan: of('plan'), agreement: of('agreement') };
}
