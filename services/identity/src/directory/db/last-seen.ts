import { named, sql, type Tx } from '@hearth/db';

export interface LastSeen {
  /** uuid of the AI. */
  ai: string;
  waitedAt: Date | null;
  checkedAt: Date | null;
}

/** Records until when the AI is woken by webhook (null: no longer). Ignores unknown AIs. */
export async function updateWakes(tx: Tx, ai: string, until: Date | null): Promise<void> {
  await tx.execute(sql`
    insert into identity.sightings (ai, wakes_until)
    select id, ${until}::timestamptz from identity.ais where id = ${ai}
    on conflict (ai) do update set wakes_until = excluded.wakes_until`);
}

/** Keeps the latest times of each AI; ignores unknown AIs. Each AI may occur once. */
export async function upsertLastSeen(tx: Tx, rows: readonly LastSeen[]): Promise<void> {
  await tx.execute(named('identity_upsert_sightings')`
    insert into identity.sightings as s (ai, waited_at, checked_at)
    select a.id, n.waited_at, n.checked_at
    from unnest(${rows.map(({ ai }) => ai)}::uuid[], ${rows.map(({ waitedAt }) => waitedAt)}::timestamptz[],
      ${rows.map(({ checkedAt }) => checkedAt)}::timestamptz[]) as n (ai, waited_at, checked_at)
      join identity.ais a on a.id = n.ai
    order by a.id
    on conflict (ai) do update
    set waited_at = greatest(s.waited_at, excluded.waited_at),
      checked_at = greatest(s.checked_at, excluded.checked_at)
    where s.waited_at is distinct from greatest(s.waited_at, excluded.waited_at)
      or s.checked_at is distinct from greatest(s.checked_at, excluded.checked_at)`);
}
