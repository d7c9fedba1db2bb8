import { type Db, fragment, named, sql, type Tx } from '@hearth/db';
import type { RecordedWakeUp } from '../../shared/domain/streams.ts';
import { type StateColumns, stateColumns } from './subscription-sends.ts';

export interface SubscriptionRow extends StateColumns {
  /** uuid */
  id: string;
  ai: string;
  name: string;
  group: string | null;
  /** r:<home>:<id> of a remote group. */
  groupReference: string | null;
  url: string;
  /** Sealed. */
  secret: Buffer;
  oldSecret: Buffer | null;
  oldSecretUntil: Date | null;
  maxAgeMs: number | null;
  refreshBefore: Date;
  createdAt: Date;
  endedAt: Date | null;
  /** See `throughOf`. */
  through: string | null;
}

/** A subscription with its first waiting wake-up and the last number of its stream, from which its cursor is made. */
export interface ListedSubscription extends SubscriptionRow {
  openNumber: number | null;
  openAt: Date | null;
  lastNumber: number;
}

const columns = fragment`
  s.id, s.ai, s.name, s.group_id as "group", s.group_reference as "groupReference", s.url, s.secret,
  s.old_secret as "oldSecret",
  s.old_secret_until as "oldSecretUntil", s.max_age_ms as "maxAgeMs", s.refresh_before as "refreshBefore",
  s.created_at as "createdAt", s.ended_at as "endedAt", s.through, ${stateColumns}`;

const withPlace = fragment`
  select ${columns}, o.number as "openNumber", o.at as "openAt", coalesce(t.last_number, 0) as "lastNumber"
  from delivery.subscriptions s
    left join delivery.streams t on t.ai = s.ai
    left join lateral (
      select w.number, w.at from delivery.subscription_sends w
      where w.subscription = s.id and w.status = 1 and w.kind = 1 order by w.number limit 1) as o on true`;

/** Lists an AI's subscriptions that have neither ended nor lapsed, oldest first. */
export function listSubscriptions(db: Db, ai: string, now: Date): Promise<ListedSubscription[]> {
  return db.query<ListedSubscription>(named('delivery_list_subscriptions')`
    ${withPlace} where s.ai = ${ai} and s.ended_at is null and s.refresh_before > ${now}
      order by s.created_at, s.id`);
}

export function readSubscription(db: Db, id: string): Promise<ListedSubscription> {
  return db.one<ListedSubscription>(named('delivery_read_subscription')`${withPlace} where s.id = ${id}`);
}

/** Locks a subscription until the end of the transaction; null if it never existed. */
export function lockSubscription(tx: Tx, id: string): Promise<SubscriptionRow | null> {
  return tx.maybeOne<SubscriptionRow>(named('delivery_lock_subscription')`
    select ${columns} from delivery.subscriptions s where s.id = ${id} for update`);
}

/** Counts an AI's other active subscriptions, and those started since `since`. */
export function countSubscriptions(
  db: Db,
  { ai, besides, now, since }: { ai: string; besides: string | null; now: Date; since: Date },
): Promise<{ active: number; known: boolean; started: number; oldestStart: Date | null }> {
  return db.one(named('delivery_count_subscriptions')`
    select
      (select count(*) from delivery.subscriptions
        where ai = ${ai} and ended_at is null and refresh_before > ${now} and id is distinct
          from ${besides}) as active,
      exists (select 1 from delivery.subscriptions
        where id = ${besides} and ended_at is null and refresh_before > ${now}) as known,
      count(*) as started, min(at) as "oldestStart"
    from delivery.subscription_starts where ai = ${ai} and at > ${since}`);
}

/** Records that an AI started a subscription. */
export async function insertStart(tx: Tx, ai: string, now: Date): Promise<void> {
  await tx.execute(named('delivery_insert_subscription_start')`
    insert into delivery.subscription_starts (ai, at) values (${ai}, ${now})`);
}

/** Writes a new or renewed subscription; a waiting `terminated` from an earlier end is dropped. */
export async function saveSubscription(tx: Tx, row: SubscriptionRow, now: Date): Promise<void> {
  await tx.execute(named('delivery_save_subscription')`
    with untold as (
      update delivery.subscription_sends set status = 3, due_at = null, settled_at = ${now}
      where subscription = ${row.id} and kind = 3 and status = 1)
    insert into delivery.subscriptions (
      id, ai, name, group_id, group_reference, url, secret, old_secret, old_secret_until, max_age_ms,
      refresh_before, created_at,
      ended_at, suspended_at, failed_since, last_delivery_at, last_error, abandoned_in_row, recent, gap_from,
      through)
    values (${row.id}, ${row.ai}, ${row.name}, ${row.group}, ${row.groupReference}, ${row.url},
      ${row.secret}, ${row.oldSecret}, ${row.oldSecretUntil}, ${row.maxAgeMs}, ${row.refreshBefore},
      ${row.createdAt}, null,
      ${row.suspendedAt}, ${row.failedSince}, ${row.lastDeliveryAt}, ${row.lastError}, ${row.abandonedInRow},
      ${JSON.stringify(row.recent)}, ${row.gapFrom}, ${row.through})
    on conflict (id) do update set
      secret = excluded.secret, old_secret = excluded.old_secret, old_secret_until = excluded.old_secret_until,
      max_age_ms = excluded.max_age_ms, refresh_before = excluded.refresh_before, created_at = excluded.created_at,
      ended_at = null, suspended_at = excluded.suspended_at, failed_since = excluded.failed_since,
      last_delivery_at = excluded.last_delivery_at, last_error = excluded.last_error,
      abandoned_in_row = excluded.abandoned_in_row, recent = excluded.recent, gap_from = excluded.gap_from,
      through = excluded.through`);
}

/** Queues wake-ups again, even if they were delivered or given up; a waiting one becomes due now. */
export async function resendWakeUps(
  tx: Tx,
  subscription: string,
  now: Date,
  wakeUps: readonly RecordedWakeUp[],
): Promise<void> {
  await tx.execute(named('delivery_resend_wake_ups')`
    insert into delivery.subscription_sends as s (subscription, kind, number, event_id, at, data, due_at)
    select ${subscription}, 1, number, "eventId", at, data, ${now}
    from jsonb_to_recordset(${JSON.stringify(wakeUps)}::jsonb)
      as given (number bigint, "eventId" uuid, at timestamptz, data jsonb)
    on conflict (subscription, kind, number) do update
      set status = 1, attempts = case s.status when 1 then s.attempts else 0 end, due_at = excluded.due_at,
        last_error = case s.status when 1 then s.last_error end, settled_at = null
      where s.status <> 1 or s.due_at > excluded.due_at`);
}

/** Makes a waiting `gap` due. */
export async function resumeGap(tx: Tx, subscription: string, dueAt: Date): Promise<void> {
  await tx.execute(named('delivery_resume_gap')`
    update delivery.subscription_sends set due_at = ${dueAt}
    where subscription = ${subscription} and kind = 2 and status = 1`);
}

/** Ends a subscription of the AI and drops its waiting sends; false if there is no such active subscription. */
export async function endSubscription(
  tx: Tx,
  { id, ai, now }: { id: string; ai: string; now: Date },
): Promise<boolean> {
  const ended = await tx.query(named('delivery_end_subscription')`
    with ended as (
      update delivery.subscriptions set ended_at = ${now}
      where id = ${id} and ai = ${ai} and ended_at is null and refresh_before > ${now}
      returning id),
    dropped as (
      update delivery.subscription_sends s set status = 3, due_at = null, settled_at = ${now}
      from ended where s.subscription = ended.id and s.status = 1)
    select id from ended`);
  return ended.length > 0;
}

const mostAtOnce = 1_000;

export const nextLapse = fragment`
  select min(refresh_before) from delivery.subscriptions where ended_at is null`;

/** Ends subscriptions that were not renewed in time, silently. */
export async function endLapsed(tx: Tx, now: Date): Promise<void> {
  await tx.execute(named('delivery_end_lapsed_subscriptions')`
    with lapsed as (
      select id from delivery.subscriptions where ended_at is null and refresh_before <= ${now}
      order by id limit ${mostAtOnce} for update skip locked),
    ended as (
      update delivery.subscriptions s set ended_at = refresh_before from lapsed where s.id = lapsed.id)
    update delivery.subscription_sends s set status = 3, due_at = null, settled_at = ${now}
    from lapsed where s.subscription = lapsed.id and s.status = 1`);
}

/** Returns the AIs of these subscriptions. */
export async function findAisOf(db: Db, subscriptions: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ ai: string }>(named('delivery_find_ais_of_subscriptions')`
    select distinct ai from delivery.subscriptions where id = any(${subscriptions}::uuid[])`);
  return rows.map(({ ai }) => ai);
}

/** Returns until when a webhook wakes an AI; null if none does. */
export async function wokenUntil(db: Db, ai: string, now: Date): Promise<Date | null> {
  const { until } = await db.one<{ until: Date | null }>(sql`
    select max(refresh_before) as until from delivery.subscriptions
    where ai = ${ai} and ended_at is null and suspended_at is null and refresh_before > ${now}`);
  return until;
}
