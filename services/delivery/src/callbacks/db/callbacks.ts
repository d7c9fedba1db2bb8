import type { Db, Tx } from '@hearth/db';
import { destinationKinds, states, touchSql } from '../../shared/db/destinations.ts';
import type { DueQuestion, Send } from '../../shared/domain/outbound.ts';

export interface NewCallback {
  /** uuid */
  id: string;
  /** uuid */
  asker: string;
  /** uuid */
  approval: string;
  /** When the ask settled. */
  at: Date;
}

/** Queues callbacks, due at `now`; answers the askers of those that were not queued before. */
export async function queueCallbacks(
  tx: Tx,
  callbacks: readonly NewCallback[],
  now: Date,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>({
    name: 'delivery_queue_callbacks',
    text: `
      with queued as (
        insert into delivery.callbacks (id, asker, approval, at, due_at)
        select id, asker, approval, at, $2 from jsonb_to_recordset($1::jsonb)
          as c (id uuid, asker uuid, approval uuid, at timestamptz)
        on conflict do nothing returning asker)
      ${touchSql(`
        select ${destinationKinds.callback}::smallint, asker, $2::timestamptz from queued group by asker order by asker`)}`,
    values: [JSON.stringify(callbacks), now],
  });
  return rows.map(({ id }) => id);
}

/** A callback on its way. */
export interface DueCallback extends Send {
  /** uuid */
  approval: string;
}

/** The callbacks due at `now` for each of many askers. */
export function findDueCallbacks(
  db: Db,
  now: Date,
  questions: readonly DueQuestion[],
): Promise<DueCallback[]> {
  return db.query<DueCallback>({
    name: 'delivery_due_callbacks',
    text: `
      select due.id, q.destination, null as "orderKey", due.attempts::int, due.approval
      from jsonb_to_recordset($1::jsonb) as q (destination uuid, "limit" int, "inHand" uuid[])
        cross join lateral (
          select c.id, c.attempts, c.approval, c.due_at from delivery.callbacks c
          where c.asker = q.destination and c.status = ${states.waiting} and c.due_at <= $2
            and c.id <> all (q."inHand")
          order by c.due_at limit q."limit") as due
      order by due.due_at`,
    values: [JSON.stringify(questions), now],
  });
}

/** When the next callback of the asker `d.id` is due. */
export const nextDueSql = `
  select min(c.due_at) from delivery.callbacks c where c.asker = d.id and c.status = ${states.waiting}`;

/** A callback after an attempt, or one that may not go any more. */
export interface SettledCallback {
  id: string;
  status: number;
  /** Null when it ended. */
  dueAt: Date | null;
  /** Null where none was made. */
  attempt: { origin: string; error: string | null } | null;
}

/** Writes outcomes; one that ended stays as it is. */
export async function settleCallbacks(tx: Tx, settled: readonly SettledCallback[], now: Date): Promise<void> {
  await tx.execute({
    name: 'delivery_settle_callbacks',
    text: `
      update delivery.callbacks c
      set status = s.status, due_at = s."dueAt", settled_at = case when s."dueAt" is null then $2::timestamptz end,
        attempts = c.attempts + (s.attempt is not null)::int,
        last_error = case when s.attempt is null then c.last_error else s.attempt ->> 'error' end,
        origin = coalesce(s.attempt ->> 'origin', c.origin)
      from jsonb_to_recordset($1::jsonb) as s (id uuid, status smallint, "dueAt" timestamptz, attempt jsonb)
      where c.id = s.id and c.status = ${states.waiting}`,
    values: [JSON.stringify(settled), now],
  });
}

/** Deletes callbacks that ended before `moment`, at most `limit`; how many. */
export async function deleteSettledBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  return await tx.execute({
    name: 'delivery_delete_callbacks',
    text: `
      delete from delivery.callbacks where id in (
        select id from delivery.callbacks where status <> ${states.waiting} and settled_at < $1
        limit $2 for update skip locked)`,
    values: [moment, limit],
  });
}
