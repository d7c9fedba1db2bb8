import { named, raw, sql, type Tx } from '@hearth/db';
import { destinationKinds, states, touchSql } from '../../shared/db/destinations.ts';

/** The event type that is sent again until the app confirms it. */
export const untilConfirmed = 'account.deleted';

/** An event as it is stored for one app. */
export interface NewAppEvent {
  /** uuid of the app. */
  app: string;
  /** uuid of the event that caused it. */
  event: string;
  /** uuid of this event, as the app sees it. */
  id: string;
  at: Date;
  type: string;
  /** uuid of the group or person that the event is about. */
  orderKey: string;
  /** The request body, without `seq`. */
  body: string;
  /** Whether its data end with `seq`: its number among the app's events with that order key, without gaps. */
  counted: boolean;
  /** Whether the app has an address and subscribed to the type. */
  send: boolean;
  /** Skipped if the app already received this type for the same group. */
  oncePerGroup: boolean;
}

/**
 * Stores events, numbered for each app in order, and makes the apps' destinations due; existing rows stay
 * unchanged. Returns the apps with new due events: poke the engine for them after the commit.
 *
 * Locks the rows of apps in the order of their ids, so that concurrent batches wait instead of deadlocking.
 */
export async function storeAppEvents(tx: Tx, events: readonly NewAppEvent[], now: Date): Promise<string[]> {
  if (events.length === 0) return [];
  const rows = await tx.query<{ id: string }>({
    name: 'delivery_store_app_events',
    text: storeText,
    values: [
      events.map((event) => event.app),
      events.map((event) => event.id),
      events.map((event) => event.at),
      events.map((event) => event.type),
      events.map((event) => event.orderKey),
      events.map((event) => event.body),
      events.map((event) => event.send),
      events.map((event) => event.oncePerGroup),
      events.map((event) => event.counted),
      now,
    ],
  });
  return rows.map(({ id }) => id);
}

const storeText = `
  with given as (
    select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::uuid[], $6::text[], $7::boolean[], $8::boolean[], $9::boolean[])
      with ordinality as given (app, id, at, type, order_key, body, send, once, counted, n)),
  first_of_group as (
    insert into delivery.app_groups (app, group_id)
    select distinct app, order_key from given where once order by app, order_key
    on conflict do nothing
    returning app, group_id),
  fresh as (
    select g.* from given g
    where not exists (select 1 from delivery.app_events e where e.app = g.app and e.id = g.id and e.at = g.at)
      and (not g.once or (g.app, g.order_key) in (select app, group_id from first_of_group)
        and g.n = (select min(o.n) from given o where o.once and o.app = g.app and o.order_key = g.order_key))),
  streams as (
    insert into delivery.app_streams as s (app, last_number, last_due_at)
    select app, count(*), $10 from fresh group by app order by app
    on conflict (app) do update set
      last_number = s.last_number + excluded.last_number,
      -- Keeps the order of numbers despite small clock differences of processes; follows a clock that was set back.
      last_due_at = case when s.last_due_at > excluded.last_due_at + interval '1 minute' then excluded.last_due_at
        else greatest(s.last_due_at, excluded.last_due_at) end
    returning app, last_number, last_due_at, disabled_at),
  seqs as (
    insert into delivery.app_seqs as q (app, order_key, seq)
    -- Joined with streams, so that it runs after the lock of the app's row.
    select f.app, f.order_key, count(*) from fresh f join streams s on s.app = f.app
    where f.counted group by f.app, f.order_key
    on conflict (app, order_key) do update set seq = q.seq + excluded.seq
    returning app, order_key, seq),
  placed as (
    select f.*, s.last_due_at,
      q.seq - count(*) over counted + row_number() over (counted order by f.n) as seq,
      s.last_number - count(*) over (partition by f.app) + row_number() over (partition by f.app order by f.n) as number,
      f.type = '${untilConfirmed}' as unconfirmed,
      case when not f.send then ${states.notSent}
        -- While the address is disabled events count as failed, so that a replay of failed events includes them.
        when s.disabled_at is not null and f.type <> '${untilConfirmed}' then ${states.failed}
        else ${states.waiting} end as status
    from fresh f join streams s on s.app = f.app
      left join seqs q on f.counted and q.app = f.app and q.order_key = f.order_key
    window counted as (partition by f.app, f.order_key, f.counted)),
  written as (
    insert into delivery.app_events (app, number, id, at, type, order_key, body, status, due_at, unconfirmed)
    select app, number, id, at, type, order_key,
      case when counted then left(body, -2) || ',"seq":' || seq || '}}' else body end, status, case when status = ${states.waiting} then last_due_at end,
      unconfirmed
    from placed
    on conflict do nothing
    returning app, status, due_at)
  ${touchSql(`
    select ${destinationKinds.app}::smallint, app, min(due_at) from written where status = ${states.waiting} group by app order by app`)}`;

/** A question that was put to an app directly, with its single attempt: logged, never sent again. */
export interface AskedEvent extends Pick<NewAppEvent, 'app' | 'id' | 'at' | 'type' | 'orderKey' | 'body'> {
  attempt: { at: Date; status: number | null; ms: number; error: string | null; dropped: readonly string[] };
}

export async function storeAsked(tx: Tx, { attempt, ...asked }: AskedEvent): Promise<void> {
  await tx.execute({
    name: 'delivery_store_asked',
    text: `
      with stream as (
        insert into delivery.app_streams as s (app, last_number) values ($1, 1)
        on conflict (app) do update set last_number = s.last_number + 1
        returning last_number)
      insert into delivery.app_events
        (app, number, id, at, type, order_key, body, status, unconfirmed, attempt_count, attempts)
      select $1, last_number, $2, $3, $4, $5, $6, $7, false, 1, jsonb_build_array($8::jsonb) from stream`,
    values: [
      asked.app,
      asked.id,
      asked.at,
      asked.type,
      asked.orderKey,
      asked.body,
      attempt.error === null ? states.delivered : states.failed,
      JSON.stringify(attempt),
    ],
  });
}

/**
 * Marks events as confirmed by the app, so they are not sent again. If nothing else waits, their failed
 * attempts no longer count against the address.
 */
export async function confirmAppEvents(
  tx: Tx,
  confirmed: readonly { app: string; event: string }[],
): Promise<void> {
  await tx.execute(named('delivery_confirm_app_events')`
    with confirmed as (
      update delivery.app_events e
      set unconfirmed = false, due_at = null, replay = false,
        status = case when e.status = ${raw(states.waiting)} then ${raw(states.delivered)} else e.status end
      from unnest(${confirmed.map(({ app }) => app)}::uuid[], ${confirmed.map(({ event }) => event)}::uuid[])
        as c (app, event)
      where e.app = c.app and e.id = c.event and e.unconfirmed
      returning e.app, e.id)
    update delivery.app_streams s set failing_since = null
    where s.app in (select app from confirmed) and s.failing_since is not null and s.disabled_at is null
      and not exists (
        select 1 from delivery.app_events e
        where e.app = s.app and e.status = ${raw(states.waiting)}
          and e.id not in (select id from confirmed))`);
}

/** Records a change of an app's address; false if it, or a later one, was recorded before. */
export async function takeAddressChange(tx: Tx, app: string, at: Date): Promise<boolean> {
  const taken = await tx.maybeOne(sql`
    insert into delivery.app_streams as s (app, address_changed_at) values (${app}, ${at})
    on conflict (app) do update set address_changed_at = excluded.address_changed_at
      where coalesce(s.address_changed_at, '-infinity') < excluded.address_changed_at
    returning 1`);
  return taken !== null;
}

/**
 * Ends waiting sends as not sent once the app has no address. Deletions stay unconfirmed until there is an
 * address again.
 */
export async function parkApp(tx: Tx, app: string): Promise<void> {
  await tx.execute(sql`
    update delivery.app_events set status = ${raw(states.notSent)}, due_at = null, replay = false
    where app = ${app} and status = ${raw(states.waiting)}`);
}

/** Deletes the apps' knowledge of deleted groups, and the groups' sequence numbers. */
export async function forgetGroups(tx: Tx, groups: readonly string[]): Promise<void> {
  await tx.execute(named('delivery_forget_app_groups')`
    with numbers as (delete from delivery.app_seqs where order_key = any(${groups}::uuid[]))
    delete from delivery.app_groups where group_id = any(${groups}::uuid[])`);
}
