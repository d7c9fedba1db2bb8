import { type Db, fragment, named, type Tx } from '@hearth/db';
import type { DueQuestion } from '../../shared/domain/outbound.ts';

/** A due send, with everything needed to send it. */
export interface DueSend {
  subscription: string;
  kind: 1 | 2 | 3;
  number: number;
  event_id: string;
  at: Date;
  data: object;
  attempts: number;
  ai: string;
  name: string;
  url: string;
  secret: Buffer;
  /** Null once it no longer signs. */
  old_secret: Buffer | null;
  gap_from: number | null;
  /** The first other wake-up that still waits. */
  open_number: number | null;
  open_at: Date | null;
  /** False once the subscription ended, lapsed or was suspended. */
  alive: boolean;
  /** Whether it exceeds the age limit of its subscription. */
  stale: boolean;
}

/** Returns the due sends of many subscriptions in one statement. Their ids are `<kind>:<number>`. */
export function listDueSends(db: Db, now: Date, questions: readonly DueQuestion[]): Promise<DueSend[]> {
  return db.query<DueSend>(named('delivery_due_subscription_sends')`
    select sub.id as subscription, s.kind, s.number, s.event_id, s.at, s.data, s.attempts, sub.ai, sub.name, sub.url,
      sub.secret, case when sub.old_secret_until > ${now} then sub.old_secret end as old_secret, sub.gap_from,
      o.number as open_number, o.at as open_at,
      s.kind = 3 or (sub.ended_at is null and sub.suspended_at is null
        and sub.refresh_before > ${now}) as alive,
      s.kind = 1 and sub.max_age_ms is not null
        and s.at < ${now}::timestamptz - sub.max_age_ms * interval '1 millisecond' as stale
    from jsonb_to_recordset(${JSON.stringify(questions)}::jsonb)
      as q (destination uuid, "limit" integer, "inHand" text[])
      join delivery.subscriptions sub on sub.id = q.destination
      cross join lateral (
        select * from delivery.subscription_sends w
        where w.subscription = q.destination and w.status = 1 and w.due_at <= ${now}
          and w.kind || ':' || w.number <> all(q."inHand")
        order by w.due_at, w.number limit q."limit") as s
      left join lateral (
        select w.number, w.at from delivery.subscription_sends w
        where w.subscription = q.destination and w.status = 1 and w.kind = 1
          and (s.kind <> 1 or w.number <> s.number)
        order by w.number limit 1) as o on true
    order by s.due_at, s.number`);
}

/** Drops the waiting sends of subscriptions that ended, lapsed or were suspended; lapsed subscriptions end. */
export async function dropDead(tx: Tx, now: Date, subscriptions: readonly string[]): Promise<void> {
  await tx.execute(named('delivery_drop_dead_sends')`
    with dead as (
      select id, ended_at is null and suspended_at is not null and refresh_before > ${now} as suspended
      from delivery.subscriptions
      where id = any(${subscriptions}::uuid[]) and (ended_at is not null or suspended_at is not null
        or refresh_before <= ${now})
      order by id for update),
    dropped as (
      update delivery.subscription_sends s set status = 3, due_at = null, settled_at = ${now}::timestamptz
      from dead
      where s.subscription = dead.id and s.status = 1 and (s.kind = 1 or (s.kind = 2 and not dead.suspended))
      returning s.subscription, s.kind, s.number)
    update delivery.subscriptions s
    set ended_at = case when dead.suspended then s.ended_at else coalesce(s.ended_at, s.refresh_before) end,
      gap_from = least(s.gap_from, missed.gap_from)
    from dead left join (
      select subscription, min(number) - 1 as gap_from from dropped where kind = 1 group by subscription
    ) as missed on missed.subscription = dead.id
    where s.id = dead.id`);
}

/** Drops wake-ups that exceed the age limit of their subscription. */
export async function dropStale(
  tx: Tx,
  now: Date,
  sends: readonly Pick<DueSend, 'subscription' | 'number'>[],
): Promise<void> {
  await tx.execute(named('delivery_drop_stale_sends')`
    update delivery.subscription_sends s set status = 3, due_at = null, settled_at = ${now},
      last_error = 'too_old'
    from unnest(${sends.map(({ subscription }) => subscription)}::uuid[],
      ${sends.map(({ number }) => number)}::bigint[]) as given (subscription, number)
    where s.subscription = given.subscription and s.kind = 1 and s.number = given.number and s.status = 1`);
}

/** The stored health of a subscription. */
export interface StateColumns {
  suspendedAt: Date | null;
  failedSince: Date | null;
  lastDeliveryAt: Date | null;
  lastError: string | null;
  abandonedInRow: number;
  recent: [slot: number, attempts: number, failures: number][];
  gapFrom: number | null;
}

export const stateColumns = fragment`
  suspended_at as "suspendedAt", failed_since as "failedSince", last_delivery_at as "lastDeliveryAt",
  last_error as "lastError", abandoned_in_row as "abandonedInRow", recent, gap_from as "gapFrom"`;

/** Reads the health of subscriptions, and locks them until the end of the transaction. */
export async function lockStates(
  tx: Tx,
  subscriptions: readonly string[],
): Promise<Map<string, StateColumns>> {
  const rows = await tx.query<StateColumns & { id: string }>(named('delivery_lock_subscription_states')`
    select id, ${stateColumns} from delivery.subscriptions where id = any(${subscriptions}::uuid[])
      order by id for update`);
  return new Map(rows.map(({ id, ...state }) => [id, state]));
}

/** A wake-up or a `terminated` after an attempt. */
export interface SettledSend {
  subscription: string;
  kind: 1 | 3;
  number: number;
  status: 1 | 2 | 3;
  dueAt: Date | null;
  error: string | null;
}

/** The subscription's `gap` after the change. */
export interface GapRow {
  subscription: string;
  /** uuid of the message if the `gap` is new. */
  eventId: string;
  /** The position that it reports; a different position makes a new message. */
  from: number;
  status: 1 | 2;
  dueAt: Date | null;
  /** Attempts so far. */
  attempts: number;
  error: string | null;
}

export interface Settlement {
  now: Date;
  sends: readonly SettledSend[];
  gaps: readonly GapRow[];
  states: readonly (Readonly<Omit<StateColumns, 'recent'>> & {
    subscription: string;
    recent: readonly unknown[];
  })[];
  /** uuids of subscriptions whose waiting sends are given up. */
  suspending: readonly string[];
}

/** Writes the outcomes of attempts for subscriptions that `lockStates` locked. */
export async function settleSends(tx: Tx, settlement: Settlement): Promise<void> {
  const { now, sends, gaps, states, suspending } = settlement;
  await tx.execute({
    name: 'delivery_settle_subscription_sends',
    text: settleText,
    values: [now, JSON.stringify(sends), JSON.stringify(gaps), JSON.stringify(states), suspending],
  });
}

const settleText = `
  with outcome as (
    select * from jsonb_to_recordset($2::jsonb) as outcome (
      subscription uuid, kind smallint, number bigint, status smallint, "dueAt" timestamptz, error text)),
  sent as (
    update delivery.subscription_sends s
    set status = outcome.status, attempts = s.attempts + 1, due_at = outcome."dueAt", last_error = outcome.error,
      settled_at = case when outcome.status = 1 then null else $1::timestamptz end
    from outcome
    where s.subscription = outcome.subscription and s.kind = outcome.kind and s.number = outcome.number
      and s.status = 1),
  given_up as (
    update delivery.subscription_sends s set status = 3, due_at = null, settled_at = $1::timestamptz
    where s.subscription = any($5::uuid[]) and s.status = 1 and s.kind = 1
      and not exists (
        select 1 from outcome
        where outcome.subscription = s.subscription and outcome.kind = 1 and outcome.number = s.number)
    returning subscription, number),
  gap as (
    insert into delivery.subscription_sends as s
      (subscription, kind, number, event_id, at, data, status, attempts, due_at, last_error, settled_at)
    select subscription, 2, 0, "eventId", $1::timestamptz, jsonb_build_object('from', "from"), status, attempts, "dueAt", error,
      case when status = 1 then null else $1::timestamptz end
    from jsonb_to_recordset($3::jsonb) as gap (
      subscription uuid, "eventId" uuid, "from" bigint, status smallint, attempts smallint, "dueAt" timestamptz,
      error text)
    on conflict (subscription, kind, number) do update
      set status = excluded.status, due_at = excluded.due_at, last_error = excluded.last_error,
        settled_at = excluded.settled_at,
        data = excluded.data,
        attempts = excluded.attempts
          + case when s.status = 1 and s.data = excluded.data then s.attempts else 0 end,
        at = case when s.status = 1 and s.data = excluded.data then s.at else excluded.at end,
        event_id = case when s.status = 1 and s.data = excluded.data then s.event_id else excluded.event_id end)
  update delivery.subscriptions s
  set suspended_at = state."suspendedAt", failed_since = state."failedSince",
    last_delivery_at = state."lastDeliveryAt", last_error = state."lastError",
    abandoned_in_row = state."abandonedInRow", recent = state.recent,
    gap_from = least(state."gapFrom", missed.gap_from)
  from jsonb_to_recordset($4::jsonb) as state (
      subscription uuid, "suspendedAt" timestamptz, "failedSince" timestamptz, "lastDeliveryAt" timestamptz,
      "lastError" text, "abandonedInRow" integer, recent jsonb, "gapFrom" bigint)
    left join (
      select subscription, min(number) - 1 as gap_from from given_up group by subscription
    ) as missed on missed.subscription = state.subscription
  where s.id = state.subscription`;
