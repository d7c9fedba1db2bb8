import { type Db, named, raw, type Tx } from '@hearth/db';
import { destinationKinds, states, touchSql } from '../../shared/db/destinations.ts';
import type { DueQuestion, Lease, Queued, Send, Settlement } from '../../shared/domain/outbound.ts';

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

/** Queues callbacks that are new, due at `now`. */
export async function queueCallbacks(
  tx: Tx,
  callbacks: readonly NewCallback[],
  now: Date,
  lease: Lease | null,
): Promise<Queued[]> {
  const rows = await tx.query<{ asker: string; taken: boolean; queued: string[] }>({
    name: 'delivery_queue_callbacks',
    text: `
      with queued as (
        insert into delivery.callbacks (id, asker, approval, at, due_at)
        select id, asker, approval, at, $2 from jsonb_to_recordset($1::jsonb)
          as c (id uuid, asker uuid, approval uuid, at timestamptz)
        on conflict do nothing returning id, asker),
      touched as (${touchSql(
        `select ${destinationKinds.callback}::smallint, asker, $2::timestamptz from queued group by asker order by asker`,
        { id: '$3', ms: '$4' },
      )})
      select t.id as asker, t.taken, array(select q.id from queued q where q.asker = t.id) as queued from touched t`,
    values: [JSON.stringify(callbacks), now, lease?.id, lease?.ms],
  });
  const given = new Map(callbacks.map((callback) => [callback.id, callback]));
  return rows.map(({ asker: destination, taken, queued }) => ({
    destination,
    taken,
    sends: queued.map((id): DueCallback => {
      const { approval } = given.get(id)!;
      return { id, destination, orderKey: null, attempts: 0, approval };
    }),
  }));
}

/** A callback to be sent. */
export interface DueCallback extends Send {
  /** uuid */
  approval: string;
}

/** Returns the callbacks due at `now` for each of many askers. */
export function findDueCallbacks(
  db: Db,
  now: Date,
  questions: readonly DueQuestion[],
): Promise<DueCallback[]> {
  return db.query<DueCallback>(named('delivery_due_callbacks')`
    select due.id, q.destination, null as "orderKey", due.attempts::int, due.approval
    from jsonb_to_recordset(${JSON.stringify(questions)}::jsonb)
      as q (destination uuid, "limit" int, "inHand" uuid[])
      cross join lateral (
        select c.id, c.attempts, c.approval, c.due_at from delivery.callbacks c
        where c.asker = q.destination and c.status = ${raw(states.waiting)} and c.due_at <= ${now}
          and c.id <> all (q."inHand")
        order by c.due_at limit q."limit") as due
    order by due.due_at`);
}

/** When the next callback for the asker `d.id` is due. */
export const nextDueSql = `
  select min(c.due_at) from delivery.callbacks c where c.asker = d.id and c.status = ${states.waiting}`;

/** The state of a callback after an attempt. */
export interface SettledCallback {
  id: string;
  status: number;
  /** Null once it ended. */
  dueAt: Date | null;
  origin: string;
  error: string | null;
}

/** Ends callbacks that may not be sent as `not_sent`. */
export async function dropCallbacks(tx: Tx, ids: readonly string[], now: Date): Promise<void> {
  await tx.execute(named('delivery_drop_callbacks')`
    update delivery.callbacks set status = ${raw(states.notSent)}, due_at = null, settled_at = ${now}
    where id = any(${ids}::uuid[]) and status = ${raw(states.waiting)}`);
}

/** Writes outcomes; a callback that already ended stays unchanged. */
export const settleCallbacks = (settled: readonly SettledCallback[], now: Date): Settlement => ({
  sql: settleText,
  values: [JSON.stringify(settled), now],
  nextDueSql: `
    select min(c.due_at) from (
      select due_at from settled where asker = d.id
      union all
      select due_at from delivery.callbacks
      where asker = d.id and status = ${states.waiting} and id not in (select id from settled)) c`,
});

const settleText = `
  settled as (
    update delivery.callbacks c
    set status = s.status, due_at = s."dueAt", settled_at = case when s."dueAt" is null then $9::timestamptz end,
      attempts = c.attempts + 1, last_error = s.error, origin = s.origin
    from jsonb_to_recordset($8::jsonb) as s (
      id uuid, status smallint, "dueAt" timestamptz, error text, origin text)
    where c.id = s.id and c.status = ${states.waiting}
    returning c.id, c.asker, c.due_at)`;

/** Deletes at most `limit` callbacks that ended before `moment`. Returns how many. */
export async function deleteSettledBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  return await tx.execute(named('delivery_delete_callbacks')`
    delete from delivery.callbacks where id in (
      select id from delivery.callbacks where status <> ${raw(states.waiting)} and settled_at < ${moment}
      limit ${limit} for update skip locked)`);
}
