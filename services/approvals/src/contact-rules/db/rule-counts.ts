import { type Db, named, sql, type Tx } from '@hearth/db';

/** The outcomes that are counted by person, week and kind. */
export type Outcome = 'reached' | 'declined' | 'turned_away' | 'blocked';

export interface Take {
  person: string;
  kind: string;
  what: Outcome;
  /** The number to count. */
  wanted: number;
  /** The maximum a week; null for no bound. */
  cap: number | null;
}

/**
 * Counts each take up to its cap. Returns how much of each was counted, in the same order. Each combination
 * of person, kind and outcome may appear only once.
 */
export async function takeCounts(tx: Tx, week: string, takes: readonly Take[]): Promise<number[]> {
  const keys = [
    week,
    takes.map(({ person }) => person),
    takes.map(({ kind }) => kind),
    takes.map(({ what }) => what),
  ];
  await tx.execute({
    name: 'approvals_begin_counts',
    text: `
      insert into approvals.rule_counts (person, week, kind, what, count)
      select person, $1::date, kind, what, 0
      from unnest($2::uuid[], $3::text[], $4::text[]) as q(person, kind, what)
      order by person, kind, what
      on conflict do nothing`,
    values: keys,
  });
  const rows = await tx.query<{ n: number; granted: number }>({
    name: 'approvals_take_counts',
    text: `
      with asked as (
        select *, n::int - 1 as place
        from unnest($2::uuid[], $3::text[], $4::text[], $5::int[], $6::int[]) with ordinality
          as q(person, kind, what, wanted, cap, n)
      ),
      present as (
        select c.person, c.kind, c.what, c.count, a.wanted, a.cap, a.place
        from approvals.rule_counts c
        join asked a on a.person = c.person and a.kind = c.kind and a.what = c.what
        where c.week = $1::date
        order by c.person, c.kind, c.what
        for update of c
      )
      update approvals.rule_counts c
      set count = p.count + least(p.wanted, greatest(coalesce(p.cap, p.count + p.wanted) - p.count, 0))
      from present p
      where c.person = p.person and c.week = $1::date and c.kind = p.kind and c.what = p.what
      returning p.place as n,
        least(p.wanted, greatest(coalesce(p.cap, p.count + p.wanted) - p.count, 0)) as granted`,
    values: [...keys, takes.map(({ wanted }) => wanted), takes.map(({ cap }) => cap)],
  });
  const granted = takes.map(() => 0);
  for (const row of rows) granted[row.n] = row.granted;
  return granted;
}

/** The current counts for these people, kinds and outcomes, in the same order. */
export async function readCounts(
  db: Db,
  week: string,
  asked: readonly Pick<Take, 'person' | 'kind' | 'what'>[],
): Promise<number[]> {
  const rows = await db.query<{ count: number }>(named('approvals_read_counts')`
    select coalesce(c.count, 0) as count
    from unnest(${asked.map(({ person }) => person)}::uuid[], ${asked.map(({ kind }) => kind)}::text[],
      ${asked.map(({ what }) => what)}::text[]) with ordinality as q(person, kind, what, n)
    left join approvals.rule_counts c
      on c.person = q.person and c.week = ${week}::date and c.kind = q.kind and c.what = q.what
    order by q.n`);
  return rows.map(({ count }) => count);
}

/** kind -> the person's count of that outcome in the week. */
export async function countsOf(
  db: Db,
  person: string,
  week: string,
  what: Outcome,
): Promise<Record<string, number>> {
  const rows = await db.query<{ kind: string; count: number }>(named('approvals_counts_of')`
    select kind, count from approvals.rule_counts
    where person = ${person} and week = ${week}::date and what = ${what} and count > 0`);
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}

/** Deletes the counts of earlier weeks. */
export async function deleteCountsBefore(tx: Tx, week: string): Promise<void> {
  await tx.execute(sql`delete from approvals.rule_counts where week < ${week}::date`);
}
