import { type Db, sql, type Tx } from '@hearth/db';
import type { RecordedWakeUp } from '../../shared/domain/streams.ts';
import { type StateColumns, stateColumns } from './subscription-sends.ts';

export interface SubscriptionRow extends StateColumns {
  /** uuid */
  id: string;
  ai: string;
  name: string;
  group: string | null;
  url: string;
  /** Sealed. */
  secret: Buffer;
  oldSecret: Buffer | null;
  oldSecretUntil: Date | null;
  maxAgeMs: number | null;
  refreshBefore: Date;
  createdAt: Date;
  endedAt: Date | null;
}

/** A subscription with the first wake-up that waits, and its stream's last: what its cursor is made of. */
export interface ListedSubscription extends SubscriptionRow {
  openNumber: number | null;
  openAt: Date | null;
  lastNumber: number;
}

const columns = `
  s.id, s.ai, s.name, s.group_id as "group", s.url, s.secret, s.old_secret as "oldSecret",
  s.old_secret_until as "oldSecretUntil", s.max_age_ms as "maxAgeMs", s.refresh_before as "refreshBefore",
  s.created_at as "createdAt", s.ended_at as "endedAt", ${stateColumns}`;

const withPlace = `
  select ${columns}, o.number as "openNumber", o.at as "openAt", coalesce(t.last_number, 0) as "lastNumber"
  from delivery.subscriptions s
    left join delivery.streams t on t.ai = s.ai
    left join lateral (
      select w.number, w.at from delivery.subscription_sends w
      where w.subscription = s.id and w.status = 1 and w.kind = 1 order by w.number limit 1) as o on true`;

/** Those of an AI that have neither ended nor lapsed, the oldest first. */
export function listSubscriptions(db: Db, ai: string, now: Date): Promise<ListedSubscription[]> {
  return db.query<ListedSubscription>({
    name: 'delivery_list_subscriptions',
    text: `${withPlace} where s.ai = $1 and s.ended_at is null and s.refresh_before > $2 order by s.created_at, s.id`,
    values: [ai, now],
  });
}

export function readSubscription(db: Db, id: string): Promise<ListedSubscription> {
  return db.one<ListedSubscription>({
    name: 'delivery_read_subscription',
    text: `${withPlace} where s.id = $1`,
    values: [id],
  });
}

/** Locked to the end of the transaction; null when there never was one. */
export function lockSubscription(tx: Tx, id: string): Promise<SubscriptionRow | null> {
  return tx.maybeOne<SubscriptionRow>({
    name: 'delivery_lock_subscription',
    text: `select ${columns} from delivery.subscriptions s where s.id = $1 for update`,
    values: [id],
  });
}

/** How many an AI has besides that one, and how many were new since then. */
export function countSubscriptions(
  db: Db,
  { ai, besides, now, since }: { ai: string; besides: string | null; now: Date; since: Date },
): Promise<{ active: number; known: boolean; started: number; oldestStart: Date | null }> {
  return db.one({
    name: 'delivery_count_subscriptions',
    text: `
      select
        (select count(*) from delivery.subscriptions
          where ai = $1 and ended_at is null and refresh_before > $3 and id is distinct from $2) as active,
        exists (select 1 from delivery.subscriptions
          where id = $2 and ended_at is null and refresh_before > $3) as known,
        count(*) as started, min(at) as "oldestStart"
      from delivery.subscription_starts where ai = $1 and at > $4`,
    values: [ai, besides, now, since],
  });
}

/** Notes that one of an AI's subscriptions is new. */
export async function insertStart(tx: Tx, ai: string, now: Date): Promise<void> {
  await tx.execute({
    name: 'delivery_insert_subscription_start',
    text: `insert into delivery.subscription_starts (ai, at) values ($1, $2)`,
    values: [ai, now],
  });
}

/** Writes all of a subscription, new or renewed; a `terminated` of an earlier end is not sent any more. */
export async function saveSubscription(tx: Tx, row: SubscriptionRow, now: Date): Promise<void> {
  await tx.execute({
    name: 'delivery_save_subscription',
    text: `
      with untold as (
        update delivery.subscription_sends set status = 3, due_at = null, settled_at = $18
        where subscription = $1 and kind = 3 and status = 1)
      insert into delivery.subscriptions (
        id, ai, name, group_id, url, secret, old_secret, old_secret_until, max_age_ms, refresh_before, created_at,
        ended_at, suspended_at, failed_since, last_delivery_at, last_error, abandoned_in_row, recent, gap_from)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, null, $12, $13, $14, $15, $16, $17, $19)
      on conflict (id) do update set
        secret = excluded.secret, old_secret = excluded.old_secret, old_secret_until = excluded.old_secret_until,
        max_age_ms = excluded.max_age_ms, refresh_before = excluded.refresh_before, created_at = excluded.created_at,
        ended_at = null, suspended_at = excluded.suspended_at, failed_since = excluded.failed_since,
        last_delivery_at = excluded.last_delivery_at, last_error = excluded.last_error,
        abandoned_in_row = excluded.abandoned_in_row, recent = excluded.recent, gap_from = excluded.gap_from`,
    values: [
      row.id,
      row.ai,
      row.name,
      row.group,
      row.url,
      row.secret,
      row.oldSecret,
      row.oldSecretUntil,
      row.maxAgeMs,
      row.refreshBefore,
      row.createdAt,
      row.suspendedAt,
      row.failedSince,
      row.lastDeliveryAt,
      row.lastError,
      row.abandonedInRow,
      JSON.stringify(row.recent),
      now,
      row.gapFrom,
    ],
  });
}

/** Queues wake-ups once more, those that were taken or given up as well; what waits stays as it is. */
export async function resendWakeUps(
  tx: Tx,
  subscription: string,
  now: Date,
  wakeUps: readonly RecordedWakeUp[],
): Promise<void> {
  await tx.execute({
    name: 'delivery_resend_wake_ups',
    text: `
      insert into delivery.subscription_sends as s (subscription, kind, number, event_id, at, data, due_at)
      select $1, 1, number, "eventId", at, data, $2
      from jsonb_to_recordset($3::jsonb) as given (number bigint, "eventId" uuid, at timestamptz, data jsonb)
      on conflict (subscription, kind, number) do update
        set status = 1, attempts = 0, due_at = excluded.due_at, last_error = null, settled_at = null
        where s.status <> 1`,
    values: [subscription, now, JSON.stringify(wakeUps)],
  });
}

/** Makes a waiting `gap` due. */
export async function resumeGap(tx: Tx, subscription: string, dueAt: Date): Promise<void> {
  await tx.execute({
    name: 'delivery_resume_gap',
    text: `
      update delivery.subscription_sends set due_at = $2
      where subscription = $1 and kind = 2 and status = 1`,
    values: [subscription, dueAt],
  });
}

/** Ends a subscription of that AI and drops what waits; false when it has none such. */
export async function endSubscription(
  tx: Tx,
  { id, ai, now }: { id: string; ai: string; now: Date },
): Promise<boolean> {
  const ended = await tx.query({
    name: 'delivery_end_subscription',
    text: `
      with ended as (
        update delivery.subscriptions set ended_at = $3
        where id = $1 and ai = $2 and ended_at is null and refresh_before > $3
        returning id),
      dropped as (
        update delivery.subscription_sends s set status = 3, due_at = null, settled_at = $3
        from ended where s.subscription = ended.id and s.status = 1)
      select id from ended`,
    values: [id, ai, now],
  });
  return ended.length > 0;
}

const mostAtOnce = 1_000;

/** Ends those that were not renewed in time, silently. */
export async function endLapsed(tx: Tx, now: Date): Promise<void> {
  await tx.execute({
    name: 'delivery_end_lapsed_subscriptions',
    text: `
      with lapsed as (
        select id from delivery.subscriptions where ended_at is null and refresh_before <= $1
        order by id limit ${mostAtOnce} for update skip locked),
      ended as (
        update delivery.subscriptions s set ended_at = refresh_before from lapsed where s.id = lapsed.id)
      update delivery.subscription_sends s set status = 3, due_at = null, settled_at = $1
      from lapsed where s.subscription = lapsed.id and s.status = 1`,
    values: [now],
  });
}

/** Until when something wakes an AI over a webhook; null when nothing does. */
export async function wokenUntil(db: Db, ai: string, now: Date): Promise<Date | null> {
  const { until } = await db.one<{ until: Date | null }>(sql`
    select max(refresh_before) as until from delivery.subscriptions
    where ai = ${ai} and ended_at is null and suspended_at is null and refresh_before > ${now}`);
  return until;
}
